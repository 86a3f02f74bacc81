package im.zonda.home.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two sessions of one account, one of which reads the log while messages arrive for both, or is
/// over when a room sends a message to both.
final class TwoSessionsTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid BALCONY = Jid.of("juliet@example.org/balcony");
  private static final Jid PHONE = Jid.of("juliet@example.org/phone");
  private static final Jid AUTHOR = Jid.of("romeo@example.org/orchard");
  private static final Jid OCCUPANT = Jid.of("hall@rooms.example.org/romeo");

  /// A session that catches up is sent two messages at a time.
  private final RunningRouter running =
      new RunningRouter(limits -> TestRecords.with(limits, "unacknowledgedStanzas", 4));

  private final RecordingStream phoneStream = new RecordingStream();
  private final RecordingStream balconyStream = new RecordingStream();

  @AfterEach
  void stop() {
    running.close();
  }

  private void send(String text) {
    running
        .router
        .routes()
        .route(
            Envelope.of(
                TestStanzas.of(
                    "<message from='romeo@example.org/orchard' to='juliet@example.org' type='chat'>"
                        + "<body>"
                        + text
                        + "</body></message>")));
    running.awaitIdle();
  }

  private TestLink bind(Jid jid, RecordingStream stream) {
    TestLink link = running.bind(jid, stream);
    running.awaitIdle();
    return link;
  }

  private void acknowledge(TestLink link, long h) {
    link.acknowledged(h);
    running.awaitIdle();
  }

  /// A room sends a private message to both.
  private void sendToBoth(String type, String text) {
    Stanza message =
        TestStanzas.of("<message type='" + type + "'><body>" + text + "</body></message>")
            .withAddresses(OCCUPANT, JULIET);
    Envelope envelope = new Envelope(message, Origin.NONE, AUTHOR);
    running.router.routes().route(envelope.withSessions(List.of(BALCONY, PHONE)));
    running.awaitIdle();
  }

  private static List<Jid> addresses(RecordingStream stream) {
    return stream.stanzas().stream().map(Stanza::to).toList();
  }

  private int waiting() {
    return running.log().waitingCount(JULIET);
  }

  /// The phone has been sent two of four messages that waited, so it still reads the log when the
  /// fifth arrives. The other client has all five, and has acknowledged four of them.
  private TestLink phoneCatchesUpWith(TestLink balcony) {
    TestLink phone = bind(PHONE, phoneStream);
    phone.manage();
    running.becomeAvailable(PHONE, phone);
    assertThat(phoneStream.texts()).containsExactly("1", "2");
    running.becomeAvailable(BALCONY, balcony);
    return phone;
  }

  private void store() {
    running.createAccount(JULIET);
    for (String text : List.of("1", "2", "3", "4")) {
      send(text);
    }
  }

  private TestLink managedBalcony() {
    TestLink balcony = bind(BALCONY, balconyStream);
    balcony.manage();
    return balcony;
  }

  private TestLink phoneWhileManagedBalconyIsLive(TestLink balcony) {
    TestLink phone = phoneCatchesUpWith(balcony);
    acknowledge(balcony, 2);
    acknowledge(balcony, 4);
    send("5");
    assertThat(balconyStream.texts()).containsExactly("1", "2", "3", "4", "5");
    return phone;
  }

  @Test
  void whatAClientHasAcknowledgedIsNotSentToItAgainWhenTheOtherSessionLosesItsStream() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    acknowledge(balcony, 5);
    phone.lost();
    running.awaitIdle();
    assertThat(balconyStream.texts()).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void norWhenTheOtherSessionEnds() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    acknowledge(balcony, 5);
    phone.ended();
    running.awaitIdle();
    assertThat(balconyStream.texts()).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void whatIsOnItsWayWithoutStreamManagementIsNotSentAgainEither() {
    store();
    TestLink balcony = bind(BALCONY, balconyStream);
    TestLink phone = phoneCatchesUpWith(balcony);
    balcony.written(2);
    running.awaitIdle();
    balcony.written(4);
    running.awaitIdle();
    send("5");
    phone.ended();
    running.awaitIdle();
    assertThat(balconyStream.texts()).containsExactly("1", "2", "3", "4", "5");
    balcony.written(5);
    running.awaitIdle();
    assertThat(waiting()).isZero();
  }

  @Test
  void theSessionThatReadsTheLogGetsWhatTheOtherClientHasAcknowledged() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    acknowledge(balcony, 5);
    assertThat(waiting()).isEqualTo(1);
    acknowledge(phone, 2);
    assertThat(phoneStream.texts()).containsExactly("1", "2", "5");
    acknowledge(phone, 3);
    assertThat(waiting()).isZero();
  }

  @Test
  void whatAClientHasAcknowledgedDoesNotWaitWhenNoSessionReadsTheLogAnyMore() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    acknowledge(balcony, 5);
    phone.ended();
    running.awaitIdle();
    assertThat(waiting()).isZero();
  }

  @Test
  void whatAClientAcknowledgesLaterDoesNotWaitEither() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    phone.ended();
    running.awaitIdle();
    assertThat(waiting()).isEqualTo(1);
    acknowledge(balcony, 5);
    assertThat(waiting()).isZero();
  }

  @Test
  void whatNoClientHasAcknowledgedWaitsForTheNextSession() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    phone.ended();
    balcony.ended();
    running.awaitIdle();
    RecordingStream later = new RecordingStream();
    running.becomeAvailable(PHONE, bind(PHONE, later));
    assertThat(later.texts()).containsExactly("5");
  }

  /// As if it had been sent there alone.
  @Test
  void theSessionThatReadsTheLogFindsAMessageForBothUnderItsOwnAddress() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneCatchesUpWith(balcony);
    acknowledge(balcony, 2);
    acknowledge(balcony, 4);
    sendToBoth("chat", "5");
    acknowledge(balcony, 5);
    assertThat(waiting()).isEqualTo(1);
    acknowledge(phone, 2);
    assertThat(phoneStream.texts()).containsExactly("1", "2", "5");
    assertThat(phoneStream.stanzas().getLast().to()).isEqualTo(PHONE);
    assertThat(balconyStream.stanzas().getLast().to()).isEqualTo(BALCONY);
    acknowledge(phone, 3);
    assertThat(waiting()).isZero();
  }

  @Test
  void aMessageForBothIsOneEntry() {
    running.createAccount(JULIET);
    TestLink balcony = bind(BALCONY, balconyStream);
    TestLink phone = bind(PHONE, phoneStream);
    running.becomeAvailable(BALCONY, balcony);
    running.becomeAvailable(PHONE, phone);
    sendToBoth("chat", "1");
    assertThat(addresses(balconyStream)).containsExactly(BALCONY);
    assertThat(addresses(phoneStream)).containsExactly(PHONE);
    assertThat(StanzaIds.assigned((Message) balconyStream.stanzas().getFirst(), JULIET))
        .isNotNull()
        .isEqualTo(StanzaIds.assigned((Message) phoneStream.stanzas().getFirst(), JULIET));
    assertThat(waiting()).isEqualTo(1);
    balcony.written(1);
    running.awaitIdle();
    assertThat(waiting()).isZero();
  }

  /// The room may not know that a session has ended. Only if none is left does the author get an
  /// error.
  @Test
  void theRoomLearnsOfEachThatIsOver() {
    running.createAccount(JULIET);
    List<Envelope> room = new ArrayList<>();
    running.router.routes().add(Jid.of("rooms.example.org"), room::add);
    TestLink balcony = bind(BALCONY, balconyStream);
    running.becomeAvailable(BALCONY, balcony);
    sendToBoth("chat", "1");
    assertThat(room).isEmpty();
    sendToBoth("normal", "2");
    assertThat(balconyStream.texts()).containsExactly("1", "2");
    assertThat(room).extracting(error -> error.stanza().from()).containsExactly(PHONE);
    assertThat(room).extracting(Envelope::author).containsExactly((Jid) null);
    balcony.ended();
    running.awaitIdle();
    room.clear();
    sendToBoth("normal", "3");
    assertThat(room).extracting(error -> error.stanza().from()).containsExactly(BALCONY, PHONE);
    assertThat(room).extracting(Envelope::author).containsExactly(AUTHOR, null);
    assertThat(room).extracting(Envelope::others).containsOnly(List.of());
  }

  @Test
  void aCleanStopForgetsWhatAClientHasAcknowledged() {
    store();
    TestLink balcony = managedBalcony();
    TestLink phone = phoneWhileManagedBalconyIsLive(balcony);
    acknowledge(balcony, 5);
    phone.lost();
    balcony.lost();
    running.awaitIdle();
    assertThat(running.router.sessions().save()).hasSize(2);
    assertThat(running.log().waiting(JULIET, 0, 10, 100_000)).isEmpty();
  }
}
