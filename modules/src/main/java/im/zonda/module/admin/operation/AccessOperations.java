package im.zonda.module.admin.operation;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.Admins;
import im.zonda.module.admin.home.HostSettings;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Operations on the lists of addresses of a host: with whom stanzas are exchanged, and who
/// administers it.
public final class AccessOperations {
  /// A host.
  public record Chosen(@Field(value = "the host", form = Form.DOMAIN) String host) {}

  /// The access lists.
  public record Lists(
      @Field("with whom nothing is exchanged") List<Jid> blacklist,
      @Field("with whom alone something is exchanged, unless it is empty") List<Jid> whitelist) {}

  /// One of the lists.
  public enum Kind {
    BLACKLIST,
    WHITELIST
  }

  /// A change of a list.
  public record Change(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("which list") Kind list,
      @Field("addresses or domains to add") List<Jid> add,
      @Field("addresses or domains to remove") List<Jid> remove) {}

  /// Administrators.
  public record Administrators(
      @Field("all administrators") List<Jid> administrators,
      @Field("those of the configuration file, who can only be removed there")
          List<Jid> configured) {}

  /// The administrators of a host.
  public record Appointed(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("all administrators") List<Jid> administrators) {}

  /// `access-list.show`.
  public static final Operation<Chosen, Lists> SHOW =
      Operation.read("access-list.show", Right.MODERATION)
          .at(
              "GET /hosts/{host}/access-lists",
              "Show with whom stanzas are exchanged",
              Chosen.class,
              Lists.class);

  /// `access-list.change`.
  public static final Operation<Change, Lists> CHANGE =
      Operation.change("access-list.change", Right.MODERATION)
          .at(
              "POST /hosts/{host}/access-lists",
              "Change with whom stanzas are exchanged",
              Change.class,
              Lists.class);

  /// `administrator.list`.
  public static final Operation<Chosen, Administrators> LIST_ADMINISTRATORS =
      Operation.read("administrator.list", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/administrators",
              "List the administrators of a host",
              Chosen.class,
              Administrators.class);

  /// `administrator.set`.
  public static final Operation<Appointed, Administrators> SET_ADMINISTRATORS =
      Operation.change("administrator.set", Right.ACCOUNTS)
          .at(
              "PUT /hosts/{host}/administrators",
              "Set who administers a host by ad-hoc commands",
              Appointed.class,
              Administrators.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(SHOW, CHANGE, LIST_ADMINISTRATORS, SET_ADMINISTRATORS);

  private final Jid host;
  private final HostSettings settings;
  private final Admins admins;

  /// @param context has the domain
  public AccessOperations(ModuleContext context, HostSettings settings, Admins admins) {
    host = context.domain();
    this.settings = settings;
    this.admins = admins;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        SHOW.by((_, _) -> Outcome.done(lists())),
        CHANGE.by(this::change),
        LIST_ADMINISTRATORS.by((_, _) -> Outcome.done(administrators())),
        SET_ADMINISTRATORS.by(this::appoint));
  }

  private Lists lists() {
    HostSettings.Values values = settings.values();
    return new Lists(List.copyOf(values.blacklist()), List.copyOf(values.whitelist()));
  }

  private Outcome<Lists> change(Call call, Change change) {
    boolean black = change.list() == Kind.BLACKLIST;
    Set<Jid> before = black ? settings.values().blacklist() : settings.values().whitelist();
    Set<Jid> after = new LinkedHashSet<>(before);
    change.remove().forEach(after::remove);
    after.addAll(change.add());
    if (after.size() > HostSettings.MOST_ADDRESSES) {
      return Outcome.refused(
          Reason.TOO_MANY, "A list has at most " + HostSettings.MOST_ADDRESSES + " addresses.");
    }
    if (black) {
      for (Jid address : change.add()) {
        if (address.equals(host) || admins.contains(address)) {
          return Outcome.conflict(
              address + " cannot be blocked: it is this host, or an administrator.");
        }
      }
      settings.blacklist(after);
    } else {
      settings.whitelist(after);
    }
    call.changed(black ? "blacklist" : "whitelist", text(before), text(after));
    return Outcome.done(lists());
  }

  private static String text(Collection<Jid> addresses) {
    return String.join(" ", addresses.stream().map(Jid::toString).sorted().toList());
  }

  // ---- administrators

  private Administrators administrators() {
    return new Administrators(List.copyOf(admins.all()), List.copyOf(admins.configured()));
  }

  private Outcome<Administrators> appoint(Call call, Appointed appointed) {
    if (!admins.mayAppoint(call.caller())) {
      return Outcome.refused(Reason.FORBIDDEN, "You cannot give rights that you do not have.");
    }
    List<Jid> wanted = new ArrayList<>(new LinkedHashSet<>(appointed.administrators()));
    for (Jid address : wanted) {
      if (!address.isBare() || address.local() == null) {
        return Outcome.invalid("administrators", address + " is not an account.");
      }
      if (admins.isLocal(address) && !admins.contains(address) && admins.created(address) == null) {
        return Outcome.notFound("There is no account " + address + ".");
      }
    }
    if (wanted.size() > HostSettings.MOST_ADDRESSES) {
      return Outcome.refused(
          Reason.TOO_MANY, "There are at most " + HostSettings.MOST_ADDRESSES + " administrators.");
    }
    Set<Jid> configured = admins.configured();
    if (!Set.copyOf(wanted).containsAll(configured)) {
      return Outcome.conflict(
          "Administrators of the configuration file can only be removed there.");
    }
    String before = text(admins.all());
    wanted.removeAll(configured);
    settings.admins(wanted);
    call.changed("administrators", before, text(admins.all()));
    return Outcome.done(administrators());
  }
}
