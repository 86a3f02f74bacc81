package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.IqReply;
import im.zonda.module.muc.home.TestOrigin;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.OccupantSession;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a room sends to a session that was recovered while it entered. Messages that are marked as
/// sent again end with `*`.
class RoomCatchUpTest {
  private static final Jid HAG = Jid.of("hag@example.org/pda");
  private static final QName SENT_AGAIN = new QName("urn:zonda:muc:0", "sent-again");
  private static final long IDENTITY = 77;

  private final TestRoom test = new TestRoom();
  private final RoomEntry entry;

  RoomCatchUpTest() {
    test.context.stores().messages().keepOrigins();
    RoomBroadcast broadcast = new RoomBroadcast(test.context, () -> 0);
    entry =
        new RoomEntry(
            test.context, () -> test.settings, broadcast, test.repository, creator -> true);
    new RoomCatchUp(test.context, broadcast, entry).install(test.table);
    for (long id = 1; id <= 3; id++) {
      test.live().history().add(HAG.bare(), id, said(id, "" + id));
    }
  }

  private static Message said(long id, String body) {
    return TestXml.message(
        "<message type='groupchat' from='coven@rooms.example.org/x'><body>%s</body>".formatted(body)
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='coven@rooms.example.org' id='%s'/></message>"
                .formatted(id));
  }

  /// Someone says that in the room.
  private void say(String body) {
    MessageLog log = test.context.stores().messages();
    long id = log.nextId();
    Message message = said(id, body);
    test.live().history().add(HAG.bare(), id, message);
    log.append(
        new MessageLog.Entry(TestRoom.JID, id, TestRoom.JID.withResource("x"), message),
        MessageLog.Keep.ARCHIVE,
        false);
  }

  private static Presence presence(String history) {
    return TestXml.presence(
        "<presence from='hag@example.org/pda' to='coven@rooms.example.org/thirdwitch'>"
            + "<x xmlns='http://jabber.org/protocol/muc'>%s</x></presence>".formatted(history));
  }

  private List<String> sends(String history, long identity, long age) {
    Presence presence = presence(history);
    Envelope cause = new Envelope(presence, new TestOrigin(HAG, identity, age), null);
    Occupant occupant = test.room().occupant(HAG);
    if (occupant == null) {
      entry.enter(test.home, presence, HAG, Objects.requireNonNull(presence.to()), cause);
    } else {
      OccupantSession session = Objects.requireNonNull(occupant.session(HAG));
      entry.rejoin(test.live(), occupant, session, presence, cause);
    }
    return sent();
  }

  private void enters(String history) {
    assertThat(sends(history, IDENTITY, 0)).endsWith("subject");
  }

  private List<String> asks(String attributes) {
    IqReply reply =
        test.ask(
            HAG.toString(),
            TestXml.iq(
                "<iq type='set' id='q'><catch-up xmlns='urn:zonda:muc:0' %s/></iq>"
                    .formatted(attributes)));
    assertThat(reply).isEqualTo(IqReply.empty());
    return sent();
  }

  private List<String> sent() {
    return test.context.takeSent().stream().map(RoomCatchUpTest::text).toList();
  }

  private static String text(Stanza stanza) {
    if (!(stanza instanceof Message message)) {
      return String.valueOf(Objects.requireNonNull(stanza.from()).resource());
    }
    Element body = message.payload(new QName("jabber:client", "body"));
    String text = body == null && message.has(MucNames.SUBJECT) ? "subject" : bodyOf(body);
    return message.has(SENT_AGAIN) ? text + "*" : text;
  }

  private static String bodyOf(@Nullable Element body) {
    return body == null ? "" : body.text();
  }

  @Test
  void aSessionThatHasReceivedNothingGetsTheWholeAnswer() {
    enters("");
    assertThat(asks("received='none'")).containsExactly("thirdwitch", "1*", "2*", "3*", "subject*");
  }

  @Test
  void aSessionThatHasReceivedAPartGetsTheRest() {
    enters("");
    assertThat(asks("received='presence'")).containsExactly("1*", "2*", "3*", "subject*");
    assertThat(asks("received='presence' after='2'")).containsExactly("3*", "subject*");
    assertThat(asks("received='all' after='3'")).isEmpty();
  }

  @Test
  void aSessionGetsNoMoreHistoryThanItHasAskedFor() {
    enters("<history maxstanzas='1'/>");
    assertThat(asks("received='none'")).containsExactly("thirdwitch", "3*", "subject*");
  }

  @Test
  void aSessionThatHasAskedForNoHistoryGetsNone() {
    enters("<history maxstanzas='0'/>");
    assertThat(asks("received='none'")).containsExactly("thirdwitch", "subject*");
  }

  @Test
  void whatIsSaidAfterTheEntryComesOnce() {
    enters("");
    say("4");
    assertThat(asks("received='presence' after='2'")).containsExactly("3*", "subject*", "4*");
  }

  /// The version before does not say what the session has received.
  @Test
  void aHomeOfTheVersionBeforeGetsAllOfARecentEntry() {
    enters("");
    OccupantSession session =
        Objects.requireNonNull(Objects.requireNonNull(test.room().occupant(HAG)).session(HAG));
    session.setEnteredAt(ChronoUnit.MICROS.between(Instant.EPOCH, test.context.clock().instant()));
    assertThat(asks("after='2'")).containsExactly("thirdwitch", "3*", "subject*");
    test.context.clock().advance(Duration.ofMinutes(1));
    assertThat(asks("after='2'")).isEmpty();
  }

  // ---- the client sends its presence again

  @Test
  void thePresenceIsDoneWithOnceItsHomeHasAsked() {
    enters("");
    asks("received='none'");
    assertThat(sends("", IDENTITY, 1)).isEmpty();
  }

  /// The replica of the session is older than its presence.
  @Test
  void theSessionEntersByItOtherwise() {
    enters("");
    say("4");
    assertThat(sends("", IDENTITY, 1))
        .containsExactly("thirdwitch", "1*", "2*", "3*", "4*", "subject*");
    assertThat(asks("received='presence' after='2'")).containsExactly("3*", "4*", "subject*");
  }

  @Test
  void anotherPresenceIsAnswered() {
    enters("");
    asks("received='none'");
    assertThat(sends("", IDENTITY + 1, 1)).containsExactly("thirdwitch", "1", "2", "3", "subject");
  }
}
