package im.zonda.module.muc.home;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomMessageHandler;
import im.zonda.module.muc.stanza.RoomRequestHandler;
import im.zonda.module.testing.TestContext;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A room in memory, `coven@rooms.example.org`, owned by `crone@example.org`, for tests of request
/// handlers.
public final class TestRoom {
  public static final Jid JID = Jid.of("coven@rooms.example.org");

  public final TestContext context = new TestContext();
  public final Rooms settings = Rooms.DEFAULTS;
  public final RequestTable table = new RequestTable();
  public final RoomBounds bounds = RoomBounds.of(context, JID.domainJid(), 1_000_000_000);
  public final RoomRepository repository =
      new RoomRepository(context, () -> settings, user -> false, bounds);
  public final RoomHome home = new RoomHome(JID, null, bounds.memory(), Instant.EPOCH);

  public TestRoom() {
    LiveRoom made = Objects.requireNonNull(repository.create(JID, Jid.of("crone@example.org")));
    made.room().unlock();
    home.setLive(repository.saveNew(made, made.room().config(), List.of()));
  }

  /// The home of a room with a short history, whose occupant ids have the salt `salt`.
  ///
  /// @param unstored whether the room is not in the store yet
  public static RoomHome home(TestContext context, Room room, Jid creator, boolean unstored) {
    RoomBounds bounds = RoomBounds.of(context, room.jid().domainJid(), 1_000_000_000);
    LiveRoom live =
        new LiveRoom(
            room,
            new RoomHistory(room.jid(), bounds.histories(), 50),
            new OccupantIds("salt"),
            bounds.memory().charge(creator),
            unstored ? bounds.counts().tryReserve(creator, true) : null);
    return new RoomHome(room.jid(), live, bounds.memory(), Instant.EPOCH);
  }

  public LiveRoom live() {
    return Objects.requireNonNull(home.live());
  }

  public Room room() {
    return live().room();
  }

  /// Changes the configuration with the fields of a form.
  public void configure(UnaryOperator<DataForm.Builder> fields) {
    try {
      room()
          .configure(
              RoomConfigForm.read(
                  fields.apply(DataForm.builder("submit", RoomConfigForm.KIND)).build(),
                  room().config(),
                  settings.occupants()));
    } catch (RoomConfigForm.BadFormException e) {
      throw new AssertionError(e);
    }
  }

  /// Adds a session.
  public Occupant enter(String session, String nick) {
    Jid jid = Jid.of(session);
    return room().enter(jid, JID.withResource(nick), live().ids().of(jid.bare()));
  }

  /// Passes an IQ request to its handler.
  public IqReply ask(String from, Iq iq) {
    QName name = Objects.requireNonNull(iq.payloadName());
    RoomRequestHandler request = Objects.requireNonNull(table.findRoomHandler(iq.type(), name));
    return request.answer(
        home, live(), iq.withAddresses(Jid.of(from), JID), Objects.requireNonNull(iq.payload()));
  }

  /// Passes a message to its handler; returns false if none handles it.
  public boolean send(String from, Message message) {
    Message stamped = message.withAddresses(Jid.of(from), JID);
    RoomMessageHandler handler = table.findMessageHandler(stamped);
    return handler != null && handler.handle(home, live(), stamped, Envelope.of(stamped));
  }
}
