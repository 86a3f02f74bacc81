package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.RoomConfigForm.BadFormException;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// What owners ask: the configuration, and the end of the room (XEP-0045, section 10).
final class OwnerRequests {
  private static final QName QUERY = new QName(MucNames.OWNER, "query");

  private final Rooms settings;
  private final RoomKeeper keeper;
  private final RoomExit exit;

  OwnerRequests(Rooms settings, RoomKeeper keeper, RoomExit exit) {
    this.settings = settings;
    this.keeper = keeper;
    this.exit = exit;
  }

  void install(RequestTable table) {
    table.room(Iq.Type.SET, QUERY, this::set);
  }

  private IqReply set(RoomHome home, LiveRoom live, Iq iq, Element query) {
    Jid from = iq.from();
    if (from == null || live.room().affiliationOf(from.bare()) != Affiliation.OWNER) {
      return IqReply.refuse(ErrorCondition.FORBIDDEN);
    }
    DataForm form = DataForm.of(query.child(DataForm.X));
    if (form == null) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST);
    }
    return switch (form.type()) {
      case "cancel" -> cancel(home, live);
      case "submit" -> submit(home, live, form);
      default -> IqReply.refuse(ErrorCondition.BAD_REQUEST);
    };
  }

  private IqReply cancel(RoomHome home, LiveRoom live) {
    if (live.room().isLocked()) {
      exit.destroy(home, live, null);
    }
    return IqReply.empty();
  }

  private IqReply submit(RoomHome home, LiveRoom live, DataForm form) {
    Room room = live.room();
    RoomConfig config;
    try {
      config = RoomConfigForm.read(form, room.config(), settings.occupants(), 1_000);
    } catch (BadFormException e) {
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, String.valueOf(e.getMessage()));
    }
    keeper.save(live, config, room.subject(), List.of());
    room.configure(config);
    live.history().limit(config.history());
    if (room.isLocked()) {
      home.live(keeper.saveFirst(live));
      room.unlock();
    }
    return IqReply.empty();
  }
}
