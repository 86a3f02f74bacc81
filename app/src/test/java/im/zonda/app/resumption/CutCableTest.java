package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ManagedClient;
import im.zonda.testkit.client.ManagedClient.Habits;
import im.zonda.testkit.client.ManagedClient.Outgoing;
import im.zonda.testkit.client.ManagedClient.Start;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.TcpRelay;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A cable is pulled out between a client and a server, over TCP and TLS: the server does not
/// notice, the client resumes over another connection (XEP-0198, section 5).
@Timeout(60)
final class CutCableTest {
  private TestServer server;
  private TcpRelay relay;
  private final Person juliet = new Person("juliet@example.org/balcony");
  private final Person romeo = new Person("romeo@example.org/orchard");

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    server.accounts(List.of("juliet@example.org", "romeo@example.org"));
    relay = new TcpRelay(() -> server.address(Login.Security.STARTTLS));
  }

  @AfterEach
  void stop() throws IOException {
    juliet.client.close();
    romeo.client.close();
    relay.close();
    server.close();
  }

  @Test
  void whatWasSentIntoADeadConnectionArrivesOnceOverTheNext() throws Exception {
    RelayedConnection cable = juliet.connect(Start.BOUND);
    romeo.connect(Start.BOUND);
    romeo.say("1");
    juliet.assertHears("1");

    cable.freeze();
    romeo.say("2", "3");
    romeo.assertAllAcknowledged();
    juliet.client.abandon();
    romeo.say("4");
    juliet.connect(Start.RESUMED);
    juliet.assertHears("2", "3", "4");

    // The cable is back, with all that was under way in it.
    cable.thaw();
    romeo.say("5");
    juliet.assertHears("5");
    juliet.assertHearsNoMore();
  }

  @Test
  void whatAClientSentIntoADeadConnectionIsTakenOnce() throws Exception {
    RelayedConnection cable = romeo.connect(Start.BOUND);
    juliet.connect(Start.BOUND);
    romeo.say("1");
    juliet.assertHears("1");
    romeo.assertAllAcknowledged();

    cable.freeze();
    romeo.say("2", "3");
    assertThat(romeo.client.unacknowledged()).isEqualTo(2);
    romeo.client.abandon();
    romeo.connect(Start.RESUMED);
    juliet.assertHears("2", "3");

    // Bytes that were under way arrive after all, over a connection that no longer has a session.
    cable.thaw();
    romeo.say("4");
    juliet.assertHears("4");
    juliet.assertHearsNoMore();
    assertThat(juliet.violations).isEmpty();
  }

  @Test
  void aMachineThatHasRestartedGetsWhatItHadNotAcknowledged() throws Exception {
    RelayedConnection cable = juliet.connect(Start.BOUND);
    romeo.connect(Start.BOUND);
    cable.cutClientSide();
    romeo.say("1", "2");
    romeo.assertAllAcknowledged();

    juliet.client.cut();
    juliet.client.forgetSession();
    juliet.connect(Start.BOUND);
    juliet.assertHears("1", "2");
    juliet.assertHearsNoMore();
  }

  /// A client that goes through the relay and remembers the messages that it gets.
  private final class Person implements ManagedClient.Listener {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> violations = new LinkedBlockingQueue<>();
    private final ManagedClient client;

    Person(String address) {
      client = new ManagedClient(Login.of(address, TestServer.PASSWORD), Habits.USUAL, this);
    }

    RelayedConnection connect(Start expected) throws Exception {
      Start start = client.connect(SocketWire.connect(relay.address()));
      assertThat(start).isEqualTo(expected);
      return relay.next();
    }

    void say(String... bodies) {
      for (String body : bodies) {
        client.send(
            List.of(
                new Outgoing(
                    body,
                    "<message type='chat' to='juliet@example.org' id='"
                        + body
                        + "'><body>"
                        + body
                        + "</body></message>")));
      }
    }

    void assertAllAcknowledged() throws InterruptedException {
      assertThat(client.awaitRoom(0, Duration.ofSeconds(15))).isTrue();
    }

    void assertHears(String... bodies) throws InterruptedException {
      for (String body : bodies) {
        assertThat(heard.poll(15, TimeUnit.SECONDS)).isEqualTo(body);
      }
    }

    void assertHearsNoMore() throws InterruptedException {
      assertThat(heard.poll(300, TimeUnit.MILLISECONDS)).isNull();
      assertThat(violations).isEmpty();
    }

    @Override
    public void bound() {
      // Each test knows it from the connection's start.
    }

    @Override
    public void received(XmlElement stanza) {
      if (stanza.localName().equals("message")) {
        heard.add(stanza.childText("body"));
      }
    }

    @Override
    public void acknowledged(String id) {
      // The client counts what is not acknowledged.
    }

    @Override
    public void sentAgain(String id) {
      violations.add(id + " is sent again");
    }

    @Override
    public void violated(String how) {
      violations.add(how);
    }
  }
}
