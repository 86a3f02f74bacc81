package im.zonda.module.circle;

import im.zonda.account.AccountRegistration;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IdSource;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.bookmarks.BookmarksModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.muc.MucModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RoomStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps circles: groups of people who are each other's contacts and have a room.
///
/// Members have each other in their contact lists, in a group with the circle's name, and are
/// members of the circle's room, which is persistent, members-only and not public, and of which
/// they have a bookmark that lets clients enter. Someone who registers with an invitation of a
/// circle joins it. Who leaves a circle, or whose circle is deleted, loses the room and the
/// bookmark; the contacts stay, without the group.
///
/// A circle has at most [#MOST_MEMBERS] members, all of them accounts of the host. Without the room
/// service, or without bookmarks, circles have only what is left.
public final class CircleModule implements XmppModule {
  /// The key-value store of accounts, and of the host itself.
  public static final String STORE = StoredCircles.STORE;

  /// The name of the module.
  public static final String NAME = "circle";

  /// The most members of a circle.
  public static final int MOST_MEMBERS = StoredCircles.MOST_MEMBERS;

  private static final Logger LOG = LoggerFactory.getLogger(CircleModule.class);

  /// The modules that circles change something in.
  ///
  /// @param roster the rosters
  /// @param presence adds contacts
  /// @param bookmarks adds bookmarks
  /// @param rooms has the rooms
  public record Parts(
      RosterModule roster, PresenceModule presence, BookmarksModule bookmarks, MucModule rooms) {}

  private final Parts parts;
  private final InvitationModule invitations;
  private volatile @Nullable HostCircles installed;

  /// @param admin offers the commands, and knows the administrators
  /// @param invitations says who has registered with an invitation of a circle
  public CircleModule(AdminModule admin, InvitationModule invitations, Parts parts) {
    this.parts = parts;
    this.invitations = invitations;
    new CircleCommands(admin, invitations, () -> installed).offer();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountRegistration.class, ExternalComponents.class, RoomStore.class)
        .withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    AccountRegistration accounts = context.port(AccountRegistration.class);
    MemberRequests requests =
        new MemberRequests(context, parts.roster, parts.presence, parts.bookmarks);
    requests.install();
    StoredCircles stored =
        new StoredCircles(
            context.keyValues(STORE),
            context.domain(),
            account -> accounts.created(account) != null,
            local -> hasRoom(context, local),
            context.clock(),
            context.ids());
    CircleWork work = new CircleWork(context, stored, requests, parts.rooms);
    work.start();
    HostCircles circles = new HostCircles(stored, work, parts.rooms);
    installed = circles;
    invitations.onJoin((circle, account) -> join(circles, circle, account));
    invitations.nameCirclesBy(name -> stored.get(name).name());
    new CircleActions(new Console(stored, parts.rooms::service), work::changed)
        .offers()
        .forEach(context::offer);
  }

  private boolean hasRoom(ModuleContext context, String local) {
    Jid service = parts.rooms.service();
    return service != null
        && context.port(RoomStore.class).find(Jid.of(local, service.domain(), null)) != null;
  }

  private static void join(HostCircles circles, String circle, Jid account) {
    try {
      circles.stored().add(circle, List.of(account));
      circles.work().changed();
    } catch (IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("circle", circle)
          .addKeyValue("jid", account)
          .addKeyValue("reason", e.getMessage())
          .log("invited_account_without_circle");
    }
  }

  @Override
  public void stop() {
    installed = null;
    invitations.onJoin(null);
    invitations.nameCirclesBy(null);
  }

  // ---- for operators

  /// What the command line reads and changes.
  ///
  /// @param store the store [#STORE]
  /// @param accounts whether an account exists
  /// @param rooms the rooms
  public record Source(KeyValueStore store, Predicate<Jid> accounts, RoomStore rooms) {}

  /// The circles of a host, for operations and the command line. What it changes is carried out by
  /// the running server, which is to be notified ([ModuleContext#onNotice]), or when one is
  /// started. Calls block. Those that change something throw an [IllegalArgumentException] with a
  /// text for the operator if that cannot be; nothing has changed then.
  public static final class Console {
    private final StoredCircles stored;
    private final Supplier<@Nullable Jid> service;

    Console(StoredCircles stored, Supplier<@Nullable Jid> service) {
      this.stored = stored;
      this.service = service;
    }

    /// @param config the configuration of the host
    /// @param ids source of keys
    public Console(
        Source source, ServerConfig config, Jid host, InstantSource clock, IdSource ids) {
      Jid rooms = Jid.of(null, config.rooms().prefix() + "." + host.domain(), null);
      this.service = () -> rooms;
      this.stored =
          new StoredCircles(
              source.store,
              host,
              source.accounts,
              local -> source.rooms.find(Jid.of(local, rooms.domain(), null)) != null,
              clock,
              ids);
    }

    /// All circles, by their names.
    public List<Circle> all() {
      return stored.all();
    }

    /// The circle with that name.
    public Circle get(String name) {
      return stored.get(name);
    }

    /// The address of the room of a circle; null if the running server has no room service.
    public @Nullable Jid room(Circle circle) {
      Jid rooms = service.get();
      return rooms == null ? null : circle.room(rooms);
    }

    /// The members of a circle, in the order of their addresses.
    public List<Jid> members(Circle circle) {
      return List.copyOf(stored.members(circle));
    }

    /// The members for which not everything is done.
    public List<Jid> unfinished(Circle circle) {
      Map<Jid, StoredCircles.Progress> progress = stored.progress(circle);
      return members(circle).stream()
          .filter(each -> progress.get(each) != StoredCircles.Progress.DONE)
          .toList();
    }

    /// Creates a circle.
    public Circle create(String name, List<Jid> members) {
      return stored.create(name, members);
    }

    /// Adds members; returns those that were none.
    public List<Jid> add(String name, List<Jid> members) {
      return stored.add(name, members);
    }

    /// Removes members.
    public void removeMembers(String name, List<Jid> members) {
      stored.removeMembers(name, members);
    }

    /// Deletes a circle and its room.
    public void delete(String name) {
      stored.remove(name);
    }
  }
}
