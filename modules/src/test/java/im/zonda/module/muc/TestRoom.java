package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.module.testing.TestContext;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A room in memory, `coven@rooms.example.org`, owned by `crone@example.org`, for tests of those
/// who take what is sent to it.
final class TestRoom {
  static final Jid JID = Jid.of("coven@rooms.example.org");

  final TestContext context = new TestContext();
  final Rooms settings = Rooms.DEFAULTS;
  final RequestTable table = new RequestTable();
  final RoomBounds bounds = RoomBounds.of(context, JID.domainJid(), 1_000_000_000);
  final RoomKeeper keeper = new RoomKeeper(context, settings, user -> false, bounds);
  final RoomHome home = new RoomHome(JID, null, bounds.memory(), Instant.EPOCH);

  TestRoom() {
    LiveRoom made = Objects.requireNonNull(keeper.make(JID, Jid.of("crone@example.org")));
    made.room().unlock();
    home.live(keeper.saveFirst(made, made.room().config(), List.of()));
  }

  LiveRoom live() {
    return Objects.requireNonNull(home.live());
  }

  Room room() {
    return live().room();
  }

  /// Changes the configuration by a form's fields.
  void configure(UnaryOperator<DataForm.Builder> fields) {
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

  /// Lets a session enter.
  Occupant enter(String session, String nick) {
    Jid jid = Jid.of(session);
    return room().enter(jid, JID.withResource(nick), live().ids().of(jid.bare()));
  }

  /// Gives an IQ request to who answers it.
  IqReply ask(String from, Iq iq) {
    QName name = Objects.requireNonNull(iq.payloadName());
    RoomRequest request = Objects.requireNonNull(table.forRoom(iq.type(), name));
    return request.answer(
        home, live(), iq.withAddresses(Jid.of(from), JID), Objects.requireNonNull(iq.payload()));
  }

  /// Gives a message to who takes it; false if nobody does.
  boolean say(String from, Message message) {
    Message stamped = message.withAddresses(Jid.of(from), JID);
    RoomMessage taker = table.forMessage(stamped);
    return taker != null && taker.take(home, live(), stamped, Envelope.of(stamped));
  }
}
