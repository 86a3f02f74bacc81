package im.zonda.app.invitations;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.users.AccountList;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.json.JsonText;
import im.zonda.module.circle.CircleModule;
import im.zonda.module.invitations.HostInvitations;
import im.zonda.module.invitations.Invitation;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.invitations.InvitationModule.Issued;
import im.zonda.module.invitations.InvitationModule.Offer;
import im.zonda.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// `zonda invite`: makes, lists and revokes invitations.
///
/// Tokens are not stored, so an invitation that is listed is named by an identifier.
///
/// @param stores the accounts and invitations
/// @param config the configuration in force
/// @param clock the time
/// @param random source of tokens; cryptographically strong
public record InviteCommand(
    Stores stores, Supplier<ServerConfig> config, InstantSource clock, RandomGenerator random) {
  /// The name of the command on the control socket that makes an invitation. Its arguments are
  /// those of [Request#arguments].
  public static final String MAKE = "invite";

  /// Lists invitations: [#JSON] or [#TEXT], and a host, or none for all.
  public static final String LIST = "invite-list";

  /// Revokes an invitation: a token, a link with it, or an identifier.
  public static final String REVOKE = "invite-revoke";

  /// Prints JSON.
  static final String JSON = "json";

  /// Prints text.
  static final String TEXT = "text";

  /// The most invitations that are listed.
  private static final int LISTED = 1_000;

  private static final int PAGE = 500;
  private static final int ID_BYTES = 32;

  /// An invitation to make.
  ///
  /// @param address the account that is to be created, as `user@host`, or the host
  /// @param inviter the account that invites, or null
  /// @param circle the name of a circle, or null
  /// @param time for which it is valid, or null
  /// @param json whether JSON is printed
  record Request(
      String address,
      @Nullable String inviter,
      @Nullable String circle,
      @Nullable Duration time,
      boolean json) {
    List<String> arguments() {
      return List.of(
          address,
          inviter == null ? "" : inviter,
          circle == null ? "" : circle,
          time == null ? "" : Long.toString(time.toMillis()),
          json ? JSON : TEXT);
    }

    static Request of(List<String> arguments) {
      // Launchers of an older version send the address alone.
      return arguments.size() < 5
          ? new Request(arguments.getFirst(), null, null, null, false)
          : new Request(
              arguments.get(0),
              orNull(arguments.get(1)),
              orNull(arguments.get(2)),
              arguments.get(3).isEmpty()
                  ? null
                  : Duration.ofMillis(Long.parseLong(arguments.get(3))),
              arguments.get(4).equals(JSON));
    }

    private static @Nullable String orNull(String text) {
      return text.isEmpty() ? null : text;
    }
  }

  /// The commands by their names on the control socket.
  public Map<String, ControlCommand> all() {
    return Map.of(
        MAKE, arguments -> run(MAKE, arguments),
        LIST, arguments -> run(LIST, arguments),
        REVOKE, arguments -> run(REVOKE, arguments));
  }

  /// Runs one of them; returns the text to print.
  ///
  /// @throws IllegalArgumentException if the arguments are wrong
  String run(String command, List<String> arguments) {
    return switch (command) {
      case MAKE -> make(Request.of(arguments));
      case LIST -> list(arguments.subList(1, arguments.size()), arguments.getFirst().equals(JSON));
      case REVOKE -> revoke(arguments.getFirst());
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  /// Makes an invitation; returns the address of its page, the URI for apps, and when it expires.
  String make(Request request) {
    ServerConfig current = config.get();
    Jid address = address(request.address, current);
    Jid host = address.domainJid();
    Jid inviter =
        request.inviter == null
            ? null
            : AccountList.account(request.inviter, List.of(host.domain()));
    Issued issued =
        invitations(host, current)
            .make(new Offer(address.local(), inviter, request.circle, request.time));
    return request.json ? json(issued) : text(issued);
  }

  private HostInvitations invitations(Jid host, ServerConfig current) {
    ServerConfig ofHost = current.at(host.domain());
    return new HostInvitations(
        new HostInvitations.Parts(stores.keyValues(InvitationModule.STORE), host, clock, this::id),
        () -> ofHost,
        account -> stores.accounts().find(account) != null,
        circle ->
            new CircleModule.Console(CircleCommand.source(stores), ofHost, host, clock, this::id)
                .get(circle)
                .name());
  }

  private static Jid address(String wanted, ServerConfig config) {
    Jid address;
    try {
      address = Jid.of(wanted);
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(wanted + " is neither an account nor a host", e);
    }
    if (!address.isBare() || !config.hosts().contains(address.domain())) {
      throw new IllegalArgumentException(
          wanted + " is not of this server; its hosts are " + String.join(", ", config.hosts()));
    }
    return address;
  }

  private static String text(Issued issued) {
    return (issued.page() == null ? "" : issued.page() + "\n")
        + issued.uri()
        + "\nexpires "
        + expiry(issued.invitation())
        + "\n";
  }

  private static String json(Issued issued) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("page", issued.page());
    all.put("uri", issued.uri());
    all.putAll(described(issued.invitation()));
    return JsonText.of(all) + "\n";
  }

  private static Map<String, @Nullable Object> described(Invitation invitation) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("id", invitation.id());
    all.put("expires", expiry(invitation));
    all.put("inviter", invitation.owner().toString());
    all.put("createsAccount", invitation.registers());
    all.put("username", invitation.username());
    all.put("circle", invitation.circle());
    return all;
  }

  private static Instant expiry(Invitation invitation) {
    return invitation.expiry().truncatedTo(ChronoUnit.SECONDS);
  }

  /// Lists the valid invitations of hosts: those of the host itself, then those of accounts.
  ///
  /// @param chosen a host; empty for all
  String list(List<String> chosen, boolean json) {
    List<Invitation> found = new ArrayList<>();
    for (String host : chosen.isEmpty() ? config.get().hosts() : chosen) {
      if (!config.get().hosts().contains(host)) {
        throw new IllegalArgumentException(
            host
                + " is not a host of this server; its hosts are "
                + String.join(", ", config.get().hosts()));
      }
      forEachOwner(
          host,
          owner -> found.size() < LISTED,
          owner -> found.addAll(invitations(Jid.of(host), config.get()).of(owner)));
    }
    if (json) {
      List<Object> all = new ArrayList<>();
      found.forEach(each -> all.add(described(each)));
      return JsonText.of(all) + "\n";
    }
    StringBuilder text = new StringBuilder();
    for (Invitation each : found) {
      text.append(each.id()).append("  ").append(expiry(each)).append("  ").append(each.owner());
      text.append(each.registers() ? "  account" : "  contact");
      if (each.username() != null) {
        text.append(' ').append(each.username());
      }
      if (each.circle() != null) {
        text.append(", circle ").append(each.circle());
      }
      text.append('\n');
    }
    return text.isEmpty() ? "no invitations\n" : text.toString();
  }

  /// Revokes an invitation, so that nobody can use it.
  String revoke(String text) {
    for (String host : config.get().hosts()) {
      HostInvitations ofHost = invitations(Jid.of(host), config.get());
      Invitation found = find(text.strip(), host, ofHost);
      if (found != null && ofHost.revoke(found)) {
        return "revoked " + found.id() + "\n";
      }
    }
    throw new IllegalArgumentException(
        "no such invitation; it has been used, revoked or has expired: " + text);
  }

  private @Nullable Invitation find(String text, String host, HostInvitations ofHost) {
    List<Invitation> found = new ArrayList<>();
    forEachOwner(
        host,
        owner -> found.isEmpty(),
        owner -> {
          Invitation one = ofHost.find(text, owner);
          if (one != null) {
            found.add(one);
          }
        });
    return found.isEmpty() ? null : found.getFirst();
  }

  /// Calls `task` with the host and then its accounts, while `more` holds.
  private void forEachOwner(String host, Predicate<Jid> more, Consumer<Jid> task) {
    task.accept(Jid.of(host));
    List<Jid> page = stores.accounts().list(host, null, PAGE);
    while (!page.isEmpty()) {
      for (Jid account : page) {
        if (!more.test(account)) {
          return;
        }
        task.accept(account);
      }
      page = page.size() < PAGE ? List.of() : stores.accounts().list(host, page.getLast(), PAGE);
    }
  }

  private String id() {
    byte[] bits = new byte[ID_BYTES];
    random.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }

  /// The address for a [Request]: what the user has written, or the only host.
  static String address(@Nullable String written, List<String> hosts) {
    if (written == null) {
      if (hosts.size() != 1) {
        throw new IllegalArgumentException(
            "name a host or an account; the hosts are " + String.join(", ", hosts));
      }
      return hosts.getFirst();
    }
    return written.contains("@") || hosts.contains(written) || hosts.size() != 1
        ? written
        : written + "@" + hosts.getFirst();
  }
}
