package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Stanza;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionRoomsTest {
  private static final Jid ROOM = TestRoom.JID;
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");

  private final TestContext context = new TestContext();
  private final TestSession hag;

  /// As after a recovery from a replica.
  private final TestSession crone = context.bind(CRONE.toString());

  SessionRoomsTest() {
    new SessionRooms(context, ROOM.domainJid()).install();
    hag = context.bind(HAG.toString());
  }

  private void sends(String presence) {
    assertThat(context.sends(hag, TestXml.presence(presence))).isEqualTo(Verdict.pass());
  }

  private void enters() {
    sends(
        "<presence to='coven@rooms.example.org/thirdwitch'>"
            + "<x xmlns='http://jabber.org/protocol/muc'/></presence>");
  }

  // ---- whether a session is in a room

  private boolean saysThatItIsThere() {
    return switch (context.arrives(SessionRooms.areYouThere(ROOM, HAG, "q"))) {
      case Verdict.Handled handled -> true;
      case Verdict.Refuse(var error, _) -> {
        assertThat(SessionRooms.saysNotEntered(error.toElement())).isTrue();
        yield false;
      }
      case Verdict other -> throw new AssertionError(other);
    };
  }

  @Test
  void aSessionThatHasNotAskedToEnterIsNotThere() {
    assertThat(saysThatItIsThere()).isFalse();
    enters();
    assertThat(saysThatItIsThere()).isTrue();
  }

  @Test
  void aSessionThatHasLeftIsNotThere() {
    enters();
    sends("<presence type='unavailable' to='coven@rooms.example.org/thirdwitch'/>");
    assertThat(saysThatItIsThere()).isFalse();
  }

  @Test
  void aSessionThatIsNotAvailableToAnyoneIsNotThere() {
    enters();
    sends("<presence type='unavailable'/>");
    assertThat(saysThatItIsThere()).isFalse();
    enters();
    assertThat(saysThatItIsThere()).isTrue();
  }

  @Test
  void anOccupantCannotAsk() {
    assertThat(
            context.arrives(
                SessionRooms.areYouThere(ROOM, CRONE, "q")
                    .withAddresses(ROOM.withResource("firstwitch"), CRONE)))
        .isEqualTo(Verdict.pass());
  }

  // ---- a session that has been recovered

  private Verdict receives(long id) {
    return context.arrives(
        TestXml.message(
            "<message type='groupchat' from='coven@rooms.example.org/firstwitch' to='%s'>"
                    .formatted(CRONE)
                + "<body>Thrice</body>"
                + "<stanza-id xmlns='urn:xmpp:sid:0' by='coven@rooms.example.org' id='%s'/>"
                    .formatted(id)
                + "</message>"));
  }

  private void isMadeAgain(Map<Jid, String> lastIds) {
    context.host().recovered(context.home(CRONE), crone, lastIds);
  }

  /// The room has let it in and its node has died before anyone else knew: the room is asked to
  /// send its answer again, before any of its messages.
  @Test
  void aSessionThatWasMadeAgainHearsNothingOfARoomBeforeItHasEntered() {
    isMadeAgain(Map.of());
    assertThat(context.takeSent()).isEmpty();
    assertThat(receives(7)).isEqualTo(Verdict.handled());
    Stanza asked = context.sent().getFirst();
    Expect.sent(
        context,
        "<iq type='set' from='crone@example.org/desktop' to='coven@rooms.example.org' id='{any}'>"
            + "<catch-up xmlns='urn:zonda:muc:0'/></iq>");
    assertThat(receives(8)).isEqualTo(Verdict.handled());
    assertThat(context.takeSent()).as("it has been asked").isEmpty();
    assertThat(
            context.arrives(
                TestXml.iq(
                    "<iq type='result' from='coven@rooms.example.org' to='%s' id='%s'/>"
                        .formatted(CRONE, asked.id()))))
        .isEqualTo(Verdict.handled());
    assertThat(receives(9)).isEqualTo(Verdict.pass());
  }

  @Test
  void aRoomThatTheStreamKnowsIsAskedAtOnce() {
    isMadeAgain(Map.of(ROOM, "7"));
    assertThat(context.takeSent()).hasSize(1);
    assertThat(receives(8)).isEqualTo(Verdict.handled());
    assertThat(context.takeSent()).isEqualTo(List.of());
  }

  private Verdict seesItself(String type, String codes) {
    return context.arrives(
        TestXml.presence(
            "<presence %s from='coven@rooms.example.org/thirdwitch' to='%s'>".formatted(type, HAG)
                + "<x xmlns='http://jabber.org/protocol/muc#user'>"
                + "<item affiliation='member' role='participant'/>"
                + codes
                + "</x></presence>"));
  }

  private Verdict hagHears() {
    return context.arrives(
        TestXml.message(
            "<message type='groupchat' from='coven@rooms.example.org/firstwitch' to='%s'>"
                    .formatted(HAG)
                + "<body>Thrice</body></message>"));
  }

  /// The room still has the session that was there before, and has not answered this one.
  @Test
  void aSessionThatWasMadeAgainWhileItEnteredHearsNothingOfTheOneBefore() {
    enters();
    context.host().recovered(context.home(HAG), hag, Map.of());
    Stanza asked = context.takeSent().getFirst();
    assertThat(hagHears()).isEqualTo(Verdict.handled());
    context.arrives(
        TestXml.iq(
            "<iq type='result' from='coven@rooms.example.org' to='%s' id='%s'/>"
                .formatted(HAG, asked.id())));
    assertThat(hagHears()).isEqualTo(Verdict.handled());
    assertThat(seesItself("type='unavailable'", "<status code='110'/>"))
        .isEqualTo(Verdict.handled());
    assertThat(seesItself("", "<status code='110'/>")).isEqualTo(Verdict.pass());
    assertThat(hagHears()).isEqualTo(Verdict.pass());
  }
}
