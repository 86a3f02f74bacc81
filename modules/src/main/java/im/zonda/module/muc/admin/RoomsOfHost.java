package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Permissions.Privileges;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Role;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Rooms that the host itself makes and keeps, for people that an administrator has put together.
///
/// The host sends requests to the address of the room, which are handled at its home on whatever
/// node of a cluster that is. No client can send them, as their `from` is the host's domain. A
/// request can be repeated: it does what has not been done.
///
/// Such a room is persistent, members-only and not public, occupants see real JIDs, and only the
/// host and those who own every room choose the members. A room that a user has created is never
/// touched.
public final class RoomsOfHost {
  private static final String NAMESPACE = "urn:zonda:rooms:0";
  private static final QName KEEP = new QName(NAMESPACE, "keep");
  private static final QName DESTROY = new QName(NAMESPACE, "destroy");
  private static final String MEMBER = "member";
  private static final String FORMER = "former";
  private static final String WAS = "was";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ModuleContext context;
  private final Jid service;
  private final RoomRepository repository;
  private final PrivilegeChanges changes;
  private final RoomExit exit;
  private final RoomHooks hooks;

  /// @param service the domain of the rooms
  public RoomsOfHost(
      ModuleContext context,
      Jid service,
      RoomRepository repository,
      PrivilegeChanges changes,
      RoomExit exit) {
    this.context = context;
    this.service = service;
    this.repository = repository;
    this.changes = changes;
    this.exit = exit;
    this.hooks = new RoomHooks(context);
  }

  public void install(RequestTable table) {
    table.onAddressIq(Iq.Type.SET, KEEP, this::keep);
    table.onAddressIq(Iq.Type.SET, DESTROY, (home, iq, payload) -> destroy(home, iq));
  }

  // ---- on any node

  /// The address of the room service.
  public Jid service() {
    return service;
  }

  /// Makes a room if there is none, gives it its name, makes users its members, and takes the
  /// affiliation of others. Users who have an affiliation keep it; bans stay. Returns at once.
  ///
  /// @param former names that the room had; one with another name has been named by someone else
  /// @param leaving those who lose their affiliation
  /// @param answered gets the answer; must not block. The error `conflict` says that someone else
  ///   has a room with this address
  public void keep(
      Jid room,
      String name,
      Set<String> former,
      List<Jid> members,
      List<Jid> leaving,
      Consumer<Iq> answered) {
    Element.Builder payload = Element.builder(KEEP).attribute("name", name);
    former.forEach(
        each -> payload.child(Element.builder(NAMESPACE, WAS).attribute("name", each).build()));
    members.forEach(each -> payload.child(user(MEMBER, each)));
    leaving.forEach(each -> payload.child(user(FORMER, each)));
    request(room, payload.build(), answered);
  }

  /// Destroys a room of the host if there is one. Returns at once.
  ///
  /// @param answered gets the answer; must not block
  public void destroy(Jid room, Consumer<Iq> answered) {
    request(room, Element.of(DESTROY), answered);
  }

  private void request(Jid room, Element payload, Consumer<Iq> answered) {
    Iq request = Iq.of(Iq.Type.SET, context.domain(), room, context.ids().next(), payload);
    context.port(ExternalComponents.class).request(request, context.domain(), PATIENCE, answered);
  }

  private static Element user(String name, Jid user) {
    return Element.builder(NAMESPACE, name).attribute("jid", user.toString()).build();
  }

  // ---- at the home of the room

  private boolean isFromHost(Iq iq) {
    return context.domain().equals(iq.from());
  }

  private static IqReply notFound() {
    return IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
  }

  private IqReply keep(RoomHome home, Iq iq, Element payload) {
    LiveRoom live = home.live();
    return live == null ? create(home, iq, payload) : update(home, live, iq, payload);
  }

  private IqReply destroy(RoomHome home, Iq iq) {
    LiveRoom live = home.live();
    if (live == null) {
      return isFromHost(iq) ? IqReply.empty() : notFound();
    }
    return destroy(home, live, iq);
  }

  private IqReply create(RoomHome home, Iq iq, Element payload) {
    if (!isFromHost(iq)) {
      return notFound();
    }
    String name = payload.attribute("name");
    LiveRoom made = repository.createOfHost(home.jid(), config(name == null ? "" : name));
    if (made == null) {
      return IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    }
    try {
      // The store may still have a destroyed room of this address.
      exit.deleteDestroyed(home);
      made.room().setUsed(); // it stays, whether or not it has members and they speak
      LiveRoom stored = repository.saveNew(made, made.room().config(), List.of());
      stored.room().unlock();
      home.setLive(stored);
      hooks.created(home.jid(), context.domain());
    } catch (RuntimeException e) {
      made.end();
      throw e;
    }
    LiveRoom live = home.live();
    return live == null ? notFound() : update(home, live, iq, payload);
  }

  private RoomConfig config(String name) {
    RoomConfig usual = RoomConfig.of(context.config().rooms());
    return new RoomConfig(
        name,
        usual.description(),
        usual.lang(),
        usual.contacts(),
        true,
        false,
        false,
        true,
        null,
        true,
        usual.occupants(),
        usual.changeSubject(),
        false,
        usual.voiceRequests(),
        false,
        usual.privateMessages(),
        usual.broadcast(),
        usual.memberList(),
        usual.archive(),
        usual.history(),
        usual.mentions(),
        usual.slowMode(),
        usual.space());
  }

  private IqReply update(RoomHome home, LiveRoom live, Iq iq, Element payload) {
    if (!isFromHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (!RoomRepository.isOfHost(live)) {
      return IqReply.refuse(ErrorCondition.CONFLICT);
    }
    Room room = live.room();
    RoomConfig config = room.config();
    List<AffiliationChange> people = new ArrayList<>();
    for (Element child : payload.children()) {
      if (child.is(NAMESPACE, WAS)) {
        String name = payload.attribute("name");
        if (name != null && room.config().name().equals(child.attribute("name"))) {
          config = room.config().withName(name);
        }
        continue;
      }
      Jid user = user(child);
      if (user == null) {
        return IqReply.refuse(ErrorCondition.BAD_REQUEST);
      }
      Affiliation now = room.affiliationOf(user);
      boolean joins = child.is(NAMESPACE, MEMBER) && now == Affiliation.NONE;
      boolean leaves = child.is(NAMESPACE, FORMER) && now.isAtLeast(Affiliation.MEMBER);
      if (joins || leaves) {
        Affiliation next = joins ? Affiliation.MEMBER : Affiliation.NONE;
        people.add(new AffiliationChange(user, next, null, null));
      }
    }
    if (people.isEmpty() && config.equals(room.config())) {
      return IqReply.empty();
    }
    if (!room.affiliations().fits(people, context.config().rooms().affiliations())) {
      return IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT);
    }
    Requester host =
        new Requester(context.domain(), new Privileges(Affiliation.OWNER, Role.NONE), null);
    boolean changed =
        changes.saveAndApply(
            home,
            live,
            new Changes(config, people, List.of(), host, true),
            () -> context.send(Iq.result(iq, null)));
    return changed ? IqReply.later() : new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
  }

  private static @Nullable Jid user(Element child) {
    String jid = child.attribute("jid");
    try {
      return jid == null ? null : Jid.stored(jid);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private IqReply destroy(RoomHome home, LiveRoom live, Iq iq) {
    if (!isFromHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (RoomRepository.isOfHost(live)) {
      exit.destroy(home, live, MucNames.DESTROY);
    }
    return IqReply.empty();
  }
}
