package im.zonda.module.muc.admin;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomCharges;
import im.zonda.module.muc.home.RoomConfigForm;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomHooks;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests of the host to the home of a room, for its administrators, that owners cannot send: who
/// is in the room, to make it, and to forget old messages. For all else the host sends the requests
/// of owners ([OwnerRequests], [AdminRequests]).
public final class RoomTasks {
  private static final String NAMESPACE = "urn:zonda:rooms:0";

  /// Asks who is in the room: at most `max` occupants, by nickname after `after`.
  static final QName OCCUPANTS = new QName(NAMESPACE, "occupants");

  /// An occupant in the answer.
  static final QName OCCUPANT = new QName(NAMESPACE, "occupant");

  /// Makes a room, with the `owner` and the form in it.
  static final QName CREATE = new QName(NAMESPACE, "create");

  /// Says that the archive has no messages with lower ids than `before`.
  static final QName CLEANED = new QName(NAMESPACE, "cleaned");

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomRepository repository;
  private final RoomExit exit;
  private final RoomHooks hooks;

  public RoomTasks(
      ModuleContext context, Supplier<Rooms> settings, RoomRepository repository, RoomExit exit) {
    this.context = context;
    this.settings = settings;
    this.repository = repository;
    this.exit = exit;
    this.hooks = new RoomHooks(context);
  }

  public void install(RequestTable table) {
    table.onRoomIq(Iq.Type.GET, OCCUPANTS, (home, live, iq, asked) -> occupants(live, iq, asked));
    table.onAddressIq(Iq.Type.SET, CREATE, this::create);
    table.onRoomIq(Iq.Type.SET, CLEANED, (home, live, iq, asked) -> cleaned(live, iq, asked));
  }

  private boolean isFromHost(Iq iq) {
    return context.domain().equals(iq.from());
  }

  private IqReply occupants(LiveRoom live, Iq iq, Element asked) {
    if (!isFromHost(iq)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    String after = asked.attribute("after");
    String max = asked.attribute("max");
    List<Occupant> page =
        live.room().occupants().stream()
            .filter(each -> after == null || each.nick().compareTo(after) > 0)
            .sorted((one, other) -> one.nick().compareTo(other.nick()))
            .limit(max == null ? 0 : Integer.parseInt(max))
            .toList();
    Element.Builder answer =
        Element.builder(OCCUPANTS)
            .attribute("count", Integer.toString(live.room().occupants().size()));
    for (Occupant each : page) {
      answer.child(
          Element.builder(OCCUPANT)
              .attribute("nick", each.nick())
              .attribute("jid", each.mainSession().jid().toString())
              .attribute("affiliation", each.affiliation().value())
              .attribute("role", each.role().value())
              .attribute("sessions", Integer.toString(each.sessions().size()))
              .build());
    }
    return IqReply.result(answer.build());
  }

  private IqReply create(RoomHome home, Iq iq, Element asked) {
    Jid owner = owner(asked);
    if (!isFromHost(iq) || owner == null) {
      return IqReply.refuse(
          home.live() == null ? ErrorCondition.ITEM_NOT_FOUND : ErrorCondition.SERVICE_UNAVAILABLE);
    }
    if (home.live() != null) {
      return IqReply.refuse(ErrorCondition.CONFLICT, "there is a room " + home.jid() + " already");
    }
    LiveRoom made = repository.create(home.jid(), owner);
    if (made == null) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT, owner + " has too many rooms, or too large ones");
    }
    try {
      RoomConfig config = config(made, asked);
      if (!RoomCharges.charge(made, config, null, List.of())) {
        made.end();
        return new IqReply.Refuse(MucErrors.creatorMemoryExceeded());
      }
      // The store may still have a destroyed room of this address.
      exit.deleteDestroyed(home);
      made.room().setUsed(); // it stays, whether or not anybody speaks
      made.room().configure(config);
      LiveRoom stored = repository.saveNew(made, config, List.of());
      stored.history().setLimit(config.history());
      stored.room().unlock();
      home.setLive(stored);
      hooks.created(home.jid(), owner);
      return IqReply.empty();
    } catch (BadFormException e) {
      made.end();
      return IqReply.refuse(ErrorCondition.NOT_ACCEPTABLE, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      made.end();
      throw e;
    }
  }

  private RoomConfig config(LiveRoom made, Element asked) throws BadFormException {
    DataForm form = DataForm.of(asked.child(DataForm.X));
    RoomConfig usual = made.room().config().persistently();
    return form == null ? usual : RoomConfigForm.read(form, usual, settings.get().occupants());
  }

  private static @Nullable Jid owner(Element asked) {
    String jid = asked.attribute("owner");
    try {
      return jid == null ? null : Jid.stored(jid);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private IqReply cleaned(LiveRoom live, Iq iq, Element asked) {
    String before = asked.attribute("before");
    if (!isFromHost(iq) || before == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    live.history().removeBefore(Long.parseLong(before));
    return IqReply.empty();
  }
}
