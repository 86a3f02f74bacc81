package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionRoomsTest {
  private static final Jid ROOM = TestRoom.JID;
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final Jid CRONE = Jid.of("crone@example.org/desktop");

  private final TestContext context = new TestContext();
  private final TestSession hag;
  private final TestSession crone;

  SessionRoomsTest() {
    new SessionRooms(context, ROOM.domainJid()).install();
    hag = context.bind(HAG.toString());
    crone = context.bind(CRONE.toString());
  }

  private void sends(String presence) {
    sends(hag, presence);
  }

  private void sends(TestSession session, String presence) {
    assertThat(context.sends(session, TestXml.presence(presence))).isEqualTo(Verdict.pass());
  }

  private void enters() {
    enters(hag);
  }

  private void enters(TestSession session) {
    sends(
        session,
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
    enters(crone);
    context.arrives(own(CRONE));
    assertThat(
            context.arrives(
                SessionRooms.areYouThere(ROOM, CRONE, "q")
                    .withAddresses(ROOM.withResource("firstwitch"), CRONE)))
        .isEqualTo(Verdict.pass());
  }

  // ---- a session that has been recovered

  private static Message said(long id, Jid to, String payload) {
    return TestXml.message(
        "<message type='groupchat' from='coven@rooms.example.org/firstwitch' to='%s'>".formatted(to)
            + payload
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='coven@rooms.example.org' id='%s'/>"
                .formatted(id)
            + "</message>");
  }

  private Verdict receives(long id) {
    return context.arrives(said(id, CRONE, "<body>Thrice</body>"));
  }

  private static Presence own(String type, Jid to, String codes) {
    return TestXml.presence(
        "<presence %s from='coven@rooms.example.org/thirdwitch' to='%s'>".formatted(type, to)
            + "<x xmlns='http://jabber.org/protocol/muc#user'>"
            + "<item affiliation='member' role='participant'/>"
            + codes
            + "</x></presence>");
  }

  private static Presence own(Jid to) {
    return own("", to, "<status code='110'/>");
  }

  private void recover(TestSession session, Map<Jid, String> lastIds, Stanza... unacknowledged) {
    context
        .host()
        .recovered(
            context.home(session.jid()),
            session,
            new SessionListener.Snapshot(List.of(unacknowledged), lastIds));
  }

  private Verdict answers(Stanza request) {
    return context.arrives(
        TestXml.iq(
            "<iq type='result' from='coven@rooms.example.org' to='%s' id='%s'/>"
                .formatted(request.from(), request.id())));
  }

  /// The room has let it in and its node has died before anyone else knew: the room is asked to
  /// send its answer again, before any of its messages.
  @Test
  void aRecoveredSessionReceivesNothingOfARoomBeforeItHasEntered() {
    recover(crone, Map.of());
    assertThat(context.takeSent()).isEmpty();
    assertThat(receives(7)).isEqualTo(Verdict.handled());
    Stanza asked = context.sent().getFirst();
    Expect.sent(
        context,
        "<iq type='set' from='crone@example.org/desktop' to='coven@rooms.example.org' id='{any}'>"
            + "<catch-up xmlns='urn:zonda:muc:0' received='none'/></iq>");
    assertThat(receives(8)).isEqualTo(Verdict.handled());
    assertThat(context.takeSent()).as("it has been asked").isEmpty();
    assertThat(context.arrives(own(CRONE))).isEqualTo(Verdict.pass());
    assertThat(answers(asked)).isEqualTo(Verdict.handled());
    assertThat(receives(9)).isEqualTo(Verdict.pass());
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
  void aSessionThatIsRecoveredWhileItEntersReceivesNothingOfTheOneBefore() {
    enters();
    recover(hag, Map.of());
    Stanza asked = context.takeSent().getFirst();
    assertThat(hagHears()).isEqualTo(Verdict.handled());
    answers(asked);
    assertThat(hagHears()).isEqualTo(Verdict.handled());
    assertThat(context.arrives(own("type='unavailable'", HAG, "<status code='110'/>")))
        .isEqualTo(Verdict.handled());
    assertThat(context.arrives(own(HAG))).isEqualTo(Verdict.pass());
    assertThat(hagHears()).isEqualTo(Verdict.pass());
  }

  // ---- how much of the room's answer a session has been sent

  private static final String SUBJECT = "<subject>Double, double</subject>";

  private void asksFor(String received, @Nullable String after) {
    Stanza asked = context.takeSent().getFirst();
    assertThat(asked.to()).isEqualTo(ROOM);
    Element payload = Objects.requireNonNull(((Iq) asked).payload());
    assertThat(payload.attribute("received")).isEqualTo(received);
    assertThat(payload.attribute("after")).isEqualTo(after);
  }

  private void asksAfterRecovery(String received, @Nullable String after) {
    recover(hag, Map.of());
    asksFor(received, after);
  }

  private void entersAndReceivesThreeOfTheHistory() {
    enters();
    context.arrives(own(HAG));
    for (int id = 5; id < 8; id++) {
      context.arrives(said(id, HAG, "<body/>"));
    }
  }

  @Test
  void theRoomIsAskedForTheWholeAnswer() {
    enters();
    asksAfterRecovery("none", null);
  }

  @Test
  void theRoomIsAskedForTheRestOfTheHistory() {
    entersAndReceivesThreeOfTheHistory();
    asksAfterRecovery("presence", "7");
  }

  /// The subject is older than the history.
  @Test
  void theSubjectEndsTheAnswer() {
    entersAndReceivesThreeOfTheHistory();
    context.arrives(said(2, HAG, SUBJECT));
    asksAfterRecovery("all", "7");
  }

  @Test
  void whoLeavesAndEntersAgainIsAskedForAll() {
    entersAndReceivesThreeOfTheHistory();
    context.arrives(said(2, HAG, SUBJECT));
    sends("<presence type='unavailable' to='coven@rooms.example.org/thirdwitch'/>");
    enters();
    assertThat(context.arrives(own("type='unavailable'", HAG, "<status code='110'/>")))
        .isEqualTo(Verdict.pass());
    asksAfterRecovery("none", null);
  }

  @Test
  void whoHasLeftIsNotAskedFor() {
    entersAndReceivesThreeOfTheHistory();
    sends("<presence type='unavailable' to='coven@rooms.example.org/thirdwitch'/>");
    context.arrives(own("type='unavailable'", HAG, "<status code='110'/>"));
    recover(hag, Map.of(ROOM, "7"));
    assertThat(context.takeSent()).isEmpty();
  }

  @Test
  void whoHasChangedItsNicknameIsStillThere() {
    entersAndReceivesThreeOfTheHistory();
    context.arrives(own("type='unavailable'", HAG, "<status code='303'/><status code='110'/>"));
    asksAfterRecovery("presence", "7");
  }

  /// The stream has been sent more than the home had said of the session.
  @Test
  void theClientHasBeenSentWhatItHasNotAcknowledged() {
    enters();
    recover(hag, Map.of(), own(HAG), said(5, HAG, "<body/>"));
    asksFor("presence", "5");
  }

  @Test
  void theClientHasEnteredByAnAnswerThatTheValuesLack() {
    recover(hag, Map.of(), own(HAG), said(5, HAG, "<body/>"), said(2, HAG, SUBJECT));
    asksFor("all", "5");
  }

  /// The id is that of a message from before it left.
  @Test
  void anIdOfAnEarlierVisitSaysNothing() {
    enters();
    recover(hag, Map.of(ROOM, "7"));
    asksFor("none", null);
  }

  @Test
  void theStreamKnowsTheLastMessage() {
    entersAndReceivesThreeOfTheHistory();
    context.arrives(said(2, HAG, SUBJECT));
    recover(hag, Map.of(ROOM, "9"));
    asksFor("all", "9");
  }

  @Test
  void whatTheRoomSendsAgainComesOnce() {
    entersAndReceivesThreeOfTheHistory();
    recover(hag, Map.of());
    assertThat(context.arrives(said(8, HAG, "<body/>"))).isEqualTo(Verdict.handled());
    assertThat(context.arrives(said(2, HAG, SUBJECT))).isEqualTo(Verdict.handled());
    assertThat(context.arrives(SessionRooms.markSentAgain(said(7, HAG, "<body/>"))))
        .isEqualTo(Verdict.handled());
    assertThat(context.arrives(SessionRooms.markSentAgain(said(8, HAG, "<body/>"))))
        .isInstanceOf(Verdict.Replace.class);
    assertThat(context.arrives(SessionRooms.markSentAgain(said(2, HAG, SUBJECT))))
        .isInstanceOf(Verdict.Replace.class);
    context.takeSent();
    asksAfterRecovery("all", "8");
  }
}
