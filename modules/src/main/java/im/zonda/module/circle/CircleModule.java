package im.zonda.module.circle;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.bookmarks.BookmarksModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.muc.MucModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.store.RoomStore;
import java.util.List;
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
    new CircleActions(circles).offers().forEach(context::offer);
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
}
