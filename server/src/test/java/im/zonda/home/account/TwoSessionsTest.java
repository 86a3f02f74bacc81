package im.zonda.home.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two sessions of one account, one of which reads the log while messages arrive for both.
final class TwoSessionsTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid BALCONY = Jid.of("juliet@example.org/balcony");
  private static final Jid PHONE = Jid.of("juliet@example.org/phone");

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
