package im.zonda.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ManagedClient.Habits;
import im.zonda.testkit.client.ManagedClient.Outgoing;
import im.zonda.testkit.client.ManagedClient.Start;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client against a server with scripted answers to each element (XEP-0198, sections 3 to 5).
@Timeout(30)
class ManagedClientTest {
  private static final String NS = "xmlns='urn:xmpp:sm:3'";
  private static final String ENABLED = "<enabled " + NS + " id='one' resume='true'/>";

  private final Script script = new Script();
  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
  private TinyServer server = server();
  private ManagedClient client = client(Habits.USUAL);

  private TinyServer server() {
    try {
      return new TinyServer(script);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ManagedClient client(Habits habits) {
    Login login = Login.of("romeo@example.org/r", "secret").withSecurity(Login.Security.NONE);
    return new ManagedClient(login, habits, new Telling());
  }

  @BeforeEach
  void theScriptBegins() {
    script.answer("enable", ENABLED);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void enablesBecomesAvailableAndAsksForAcknowledgement() throws Exception {
    script.answer("r", "<a " + NS + " h='1'/>").answer("r", "<a " + NS + " h='3'/>");

    assertThat(connect()).isEqualTo(Start.BOUND);
    script.assertReceived("<enable " + NS + " resume='true'/>", "<presence/>", "<r " + NS + "/>");
    client.send(List.of(message("m1"), message("m2")));
    assertTold("bound", "acknowledged m1", "acknowledged m2");
    assertThat(client.awaitRoom(0, Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void acknowledgesWhatItHasHandledWhenAsked() throws Exception {
    script.answer("r", "<message id='a'/><message id='b'/><r " + NS + "/>");

    connect();
    assertTold("bound", "received a", "received b");
    script.assertReceived("enable", "presence", "r", "<a " + NS + " h='2'/>");
  }

  @Test
  void acknowledgesUnaskedAsOftenAsConfigured() throws Exception {
    client = client(new Habits(true, true, 2, "<presence/>"));
    script.answer("r", "<message id='a'/><message id='b'/><message id='c'/>");

    connect();
    script.assertReceived("enable", "presence", "r", "<a " + NS + " h='2'/>");
  }

  @Test
  void aResumedSessionSendsOnlyWhatTheServerDoesNotHave() throws Exception {
    script
        .answer("r", "<message id='a'/>")
        .answer("r", TinyServer.CUT)
        .answer("resume", "<resumed " + NS + " previd='one' h='2'/>")
        .answer("r", "<a " + NS + " h='3'/>");
    connect();
    assertTold("bound", "received a");
    client.send(List.of(message("m1"), message("m2")));
    assertThat(client.awaitLoss(Duration.ofSeconds(10))).isTrue();

    assertThat(connect()).isEqualTo(Start.RESUMED);
    assertTold("acknowledged m1", "acknowledged m2");
    script.assertReceived(
        "enable",
        "presence",
        "r",
        message("m1").xml(),
        message("m2").xml(),
        "r",
        "<resume " + NS + " h='1' previd='one'/>",
        message("m2").xml(),
        "r");
  }

  @Test
  void whatIsSentWhileThereIsNoConnectionWaits() throws Exception {
    script
        .answer("r", TinyServer.CUT)
        .answer("resume", "<resumed " + NS + " previd='one' h='1'/>")
        .answer("r", "<a " + NS + " h='2'/>");
    connect();
    client.awaitLoss(Duration.ofSeconds(10));
    client.send(List.of(message("m1")));

    connect();
    assertTold("bound", "acknowledged m1");
  }

  @Test
  void aNewSessionSendsAgainWhatIsNotAcknowledged() throws Exception {
    script
        .answer("r", "<message id='a'/>")
        .answer("r", TinyServer.CUT)
        .answer(
            "resume",
            "<failed "
                + NS
                + " h='2'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>")
        .answer("enable", "<enabled " + NS + " id='two' resume='1'/>")
        .answer("r", "<message id='a'/><a " + NS + " h='3'/>")
        .answer("r", TinyServer.CUT);
    connect();
    client.send(List.of(message("m1"), message("m2")));
    client.awaitLoss(Duration.ofSeconds(10));
    client.send(List.of(message("m3")));

    assertThat(connect()).isEqualTo(Start.BOUND_ANEW);
    assertTold(
        "bound",
        "received a",
        "acknowledged m1",
        "bound",
        "sent again m2",
        "received a",
        "acknowledged m2",
        "acknowledged m3");

    // The counters have been reset.
    client.send(List.of(message("m4")));
    client.awaitLoss(Duration.ofSeconds(10));
    script.answer("resume", "<resumed " + NS + " previd='two' h='4'/>");
    assertThat(connect()).isEqualTo(Start.RESUMED);
    assertTold("acknowledged m4");
    assertThat(script.last("resume").attribute("h")).isEqualTo("1");
    assertThat(script.last("resume").attribute("previd")).isEqualTo("two");
  }

  @Test
  void aForgottenSessionIsNotResumed() throws Exception {
    script.answer("enable", "<enabled " + NS + " id='two' resume='true'/>");
    connect();
    client.cut();
    client.forgetSession();

    assertThat(connect()).isEqualTo(Start.BOUND);
  }

  @Test
  void whatAnAbandonedConnectionBringsIsNotReceived() throws Exception {
    script
        .answer("r", "<message id='a'/>")
        .answer("resume", "<resumed " + NS + " previd='one' h='1'/><message id='b'/>")
        .answer("late", "<message id='late'/>");
    connect();
    assertTold("bound", "received a");
    ScriptedClient old = Objects.requireNonNull(client.abandon());
    assertThat(connect()).isEqualTo(Start.RESUMED);
    assertTold("received b");

    old.send("<late/>");
    script.answer("r", "<message id='c'/>");
    client.send(List.of(message("m1")));
    assertTold("received c");
  }

  @Test
  void countsThatCannotBeAreReported() throws Exception {
    script
        .answer("r", "<a " + NS + " h='2'/>")
        .answer("r", "<a " + NS + " h='2'/>")
        .answer("r", "<a " + NS + " h='1'/>");
    connect();
    assertThat(take()).isEqualTo("bound");
    assertThat(take()).startsWith("violated <a ");
    client.send(List.of(message("m1")));
    assertTold("acknowledged m1");
    client.send(List.of(message("m2")));
    assertThat(take()).startsWith("violated <a ");
  }

  @Test
  void aSessionThatCannotBeResumedIsReported() throws Exception {
    script.answers.clear();
    script.answer("enable", "<enabled " + NS + "/>");
    connect();
    assertThat(take()).isEqualTo("bound");
    assertThat(take()).startsWith("violated the session cannot be resumed");
  }

  @Test
  void answersPings() throws Exception {
    script.answer(
        "r", "<iq type='get' id='p' from='example.org'><ping xmlns='urn:xmpp:ping'/></iq>");
    connect();
    script.assertReceived(
        "enable", "presence", "r", "<iq type='result' id='p' to='example.org'/>", "r");
  }

  @Test
  void withoutManagementItCountsNothing() throws Exception {
    client = client(new Habits(false, false, 0, "<presence/>"));
    script.answer("presence", "<message id='a'/>");
    connect();
    assertTold("bound", "received a");
    client.send(List.of(message("m1")));
    script.assertReceived("<presence/>", message("m1").xml());
    assertThat(client.unacknowledged()).isZero();

    client.leave();
    assertThat(connect()).isEqualTo(Start.BOUND);
  }

  private Start connect() throws IOException {
    return client.connect(SocketWire.connect(server.address()));
  }

  private static Outgoing message(String id) {
    return new Outgoing(id, "<message id='" + id + "'/>");
  }

  private String take() throws InterruptedException {
    return String.valueOf(told.poll(10, TimeUnit.SECONDS));
  }

  private void assertTold(String... expected) throws InterruptedException {
    for (String next : expected) {
      assertThat(take()).isEqualTo(next);
    }
  }

  /// Answers each element with the next scripted answer for its name, if there is one.
  private static final class Script implements Function<XmlElement, String> {
    private record Line(String name, String answer) {}

    private final Deque<Line> answers = new ArrayDeque<>();
    private final Deque<XmlElement> all = new ArrayDeque<>();
    private final LinkedBlockingQueue<XmlElement> received = new LinkedBlockingQueue<>();

    synchronized Script answer(String name, String answer) {
      answers.add(new Line(name, answer));
      return this;
    }

    @Override
    public synchronized String apply(XmlElement element) {
      received.add(element);
      all.add(element);
      for (Line line : answers) {
        if (line.name().equals(element.localName())) {
          answers.remove(line);
          return line.answer();
        }
      }
      return "";
    }

    synchronized XmlElement last(String name) {
      return all.reversed().stream()
          .filter(e -> e.localName().equals(name))
          .findFirst()
          .orElseThrow();
    }

    /// The next elements are these: each given by its name or by all of its XML.
    void assertReceived(String... expected) throws InterruptedException {
      for (String next : expected) {
        XmlElement element = received.poll(10, TimeUnit.SECONDS);
        assertThat(element).as(next).isNotNull();
        assertThat(next.startsWith("<") ? element.toString() : element.localName()).isEqualTo(next);
      }
    }
  }

  private final class Telling implements ManagedClient.Listener {
    @Override
    public void bound() {
      told.add("bound");
    }

    @Override
    public void received(XmlElement stanza) {
      told.add("received " + stanza.attribute("id"));
    }

    @Override
    public void acknowledged(String id) {
      told.add("acknowledged " + id);
    }

    @Override
    public void sentAgain(String id) {
      told.add("sent again " + id);
    }

    @Override
    public void violated(String how) {
      told.add("violated " + how);
    }
  }
}
