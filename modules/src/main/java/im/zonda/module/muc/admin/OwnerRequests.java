package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.admin.PrivilegeChanges.Changes;
import im.zonda.module.muc.home.RoomCharges;
import im.zonda.module.muc.home.RoomConfigForm;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Requester;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Supplier;

/// Handles `muc#owner` requests: configuring and destroying a room (XEP-0045, sections 10.1, 10.2
/// and 10.9).
public final class OwnerRequests {
  private static final QName QUERY = new QName(MucNames.OWNER, "query");

  /// In a `<destroy/>` of the host: the room cannot be restored.
  static final QName ERASE = new QName("urn:zonda:rooms:0", "erase");

  private static final int MAX_REASON = 1_000;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomRepository repository;
  private final RoomBroadcast broadcast;
  private final RoomExit exit;
  private final PrivilegeChanges changes;

  public OwnerRequests(
      ModuleContext context,
      Supplier<Rooms> settings,
      RoomRepository repository,
      RoomBroadcast broadcast,
      RoomExit exit,
      PrivilegeChanges changes) {
    this.context = context;
    this.settings = settings;
    this.repository = repository;
    this.broadcast = broadcast;
    this.exit = exit;
    this.changes = changes;
  }

  public void install(RequestTable table) {
    table.onRoomIq(Iq.Type.GET, QUERY, this::get);
    table.onRoomIq(Iq.Type.SET, QUERY, this::set);
  }

  private boolean isOwner(LiveRoom live, Iq iq) {
    Jid from = iq.from();
    return from != null
        && (isHost(iq) || live.room().affiliationOf(from.bare()) == Affiliation.OWNER);
  }

  /// Whether the host asks, for its administrators. No client has its address.
  private boolean isHost(Iq iq) {
    return context.domain().equals(iq.from());
  }

  private IqReply get(RoomHome home, LiveRoom live, Iq iq, Element query) {
    if (!isOwner(live, iq)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    live.room().beginConfiguration();
    return IqReply.result(
        Element.builder(QUERY)
            .child(OwnerForm.write(live.room(), settings.get().occupants()).toElement())
            .build());
  }

  private IqReply set(RoomHome home, LiveRoom live, Iq iq, Element query) {
    if (!isOwner(live, iq)) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    Element destroy = query.child("destroy");
    if (destroy != null) {
      return destroy(home, live, destroy, isHost(iq) && destroy.child(ERASE) != null);
    }
    DataForm form = DataForm.of(query.child(DataForm.X));
    if (form == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    String kind = form.kind();
    if (kind != null && !kind.equals(RoomConfigForm.KIND)) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST,
          "the form is not of type muc#roomconfig; request the configuration form first");
    }
    return switch (form.type()) {
      case "cancel" -> cancel(home, live);
      case "submit" -> submit(home, live, iq, form);
      default -> IqReply.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  private IqReply cancel(RoomHome home, LiveRoom live) {
    if (live.room().isLocked()) {
      exit.destroy(home, live, MucNames.DESTROY);
    }
    return IqReply.empty();
  }

  private IqReply submit(RoomHome home, LiveRoom live, Iq iq, DataForm form) {
    Room room = live.room();
    Jid from = iq.from();
    RoomConfig before = room.config();
    RoomConfig config;
    List<AffiliationChange> people;
    try {
      config = RoomConfigForm.read(form, before, settings.get().occupants());
      people = OwnerForm.findAffiliationChanges(form, room, config);
      OwnerForm.checkContacts(form);
    } catch (BadFormException e) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, String.valueOf(e.getMessage()));
    }
    if (from == null || !room.keepsAnOwner(people)) {
      return IqReply.refuse(
          ErrorCondition.CONFLICT,
          "a room needs at least one owner; make another user an owner first");
    }
    if (!room.affiliations().fits(people, settings.get().affiliations())) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "the room has too many affiliations; remove some and try again");
    }
    if (!RoomCharges.charge(live, config, room.subject(), people)) {
      return new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
    }
    if (room.isLocked()) {
      // The store may still have a destroyed room of this address.
      exit.deleteDestroyed(home);
    }
    Requester by = isHost(iq) ? Requester.ofHost(from) : Requester.of(room, from);
    Changes all = new Changes(config, people, List.of(), by);
    Runnable done = () -> context.send(Iq.result(iq, null));
    if (RoomConfigForm.asksForPersistence(form)) {
      repository.use(live);
    }
    if (room.isLocked()) {
      home.setLive(repository.saveNew(live, config, people));
      room.unlock();
      changes.apply(home, live, all, done);
    } else {
      changes.saveAndApply(home, live, all, done);
    }
    live.history().setLimit(config.history());
    announce(room, OwnerForm.codes(before, config));
    return IqReply.later();
  }

  /// Notifies occupants of a changed configuration (section 10.2.1).
  private void announce(Room room, List<Integer> codes) {
    if (codes.isEmpty()) {
      return;
    }
    Element.Builder x = Element.builder(MucNames.X_USER);
    for (int code : codes) {
      x.child(
          Element.builder(MucNames.USER, "status")
              .attribute("code", Integer.toString(code))
              .build());
    }
    broadcast.sendMessage(
        room,
        Message.of(
            Message.Type.GROUPCHAT, room.jid(), null, context.ids().next(), List.of(x.build())));
  }

  /// Destroys the room (section 10.9).
  ///
  /// @param erases whether it cannot be restored
  private IqReply destroy(RoomHome home, LiveRoom live, Element asked, boolean erases) {
    Element.Builder element = Element.builder(MucNames.USER, "destroy");
    String venue = asked.attribute("jid");
    try {
      element.attribute("jid", venue == null || venue.isEmpty() ? null : Jid.of(venue).toString());
    } catch (JidFormatException e) {
      return IqReply.refuse(ErrorCondition.JID_MALFORMED);
    }
    for (String name : List.of("password", "reason")) {
      Element child = asked.child(name);
      String text = child == null ? "" : child.text();
      if (text.length() > MAX_REASON) {
        return IqReply.refuse(
            ErrorCondition.NOT_ACCEPTABLE, "a reason or password has at most 1000 characters");
      }
      if (!text.isEmpty()) {
        element.child(name, text);
      }
    }
    if (erases) {
      exit.erase(home, live, element.build());
    } else {
      exit.destroy(home, live, element.build());
    }
    return IqReply.empty();
  }
}
