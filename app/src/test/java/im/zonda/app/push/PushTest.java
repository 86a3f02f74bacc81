package im.zonda.app.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that lose their streams (XEP-0198), and restarts. A client plays the push service.
final class PushTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String APP = "app@example.org/server";

  @TempDir private Path data;
  private TestServer server;
  private ScriptedClient app;
  private ScriptedClient romeo;
  private ScriptedClient phone;
  private int messages;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withClock(new FakeClock())
            .withData(data)
            .startInMemory();
    connect();
    phone = server.connect("juliet@example.org/phone");
    phone.send(
        "<iq type='set' id='e'><enable xmlns='urn:xmpp:push:0' jid='" + APP + "' node='n'/></iq>");
    assertThat(phone.receive().attribute("type")).isEqualTo("result");
  }

  private void connect() {
    app = server.connect(APP);
    romeo = server.connect("romeo@example.org/orchard");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String manage() {
    phone.send("<enable xmlns='" + SM + "' resume='true'/>");
    XmlElement enabled = phone.receiveFirst(e -> e.namespace().equals(SM));
    phone.send("<presence/>");
    phone.receiveFirst(e -> e.localName().equals("presence"));
    phone.send("<a xmlns='" + SM + "' h='1'/>");
    phone.fence("managed");
    return Objects.requireNonNull(enabled.attribute("id"));
  }

  private void say() {
    String id = "m" + messages++;
    romeo.send(
        "<message to='juliet@example.org' type='chat' id='" + id + "'><body>hi</body></message>");
    romeo.fence("f" + id, "juliet@example.org");
  }

  private XmlElement pushed(String count) {
    XmlElement push = app.receive();
    assertThat(push.attribute("from")).isEqualTo("juliet@example.org");
    assertThat(push.toString()).contains("<value>" + count + "</value>");
    return push;
  }

  private void answer(XmlElement push) {
    app.send(
        "<iq type='result' id='"
            + push.attribute("id")
            + "' to='"
            + push.attribute("from")
            + "'/>");
    app.fence("answered" + messages, "juliet@example.org");
    app.skipUnread();
  }

  private void nothingPushed() {
    app.fence("nothing" + messages++);
    assertThat(app.unread()).isZero();
  }

  @Test
  void whatWasOnALostStreamAndWhatComesLaterIsPushed() {
    String session = manage();
    say();
    say();
    nothingPushed();
    phone.drop();
    romeo.fence("dropped", "juliet@example.org");
    answer(pushed("2"));
    say();
    answer(pushed("3"));
    Login login =
        Login.of("juliet@example.org/phone", TestServer.PASSWORD).withSecurity(Login.Security.NONE);
    ScriptedClient again = server.connected(login.security(), login.domain()).negotiate(login);
    again.send("<resume xmlns='" + SM + "' previd='" + session + "' h='1'/>");
    assertThat(again.receive().localName()).isEqualTo("resumed");
    say();
    nothingPushed();
    again.send("<inactive xmlns='urn:xmpp:csi:0'/>");
    again.fence("inactive", "juliet@example.org");
    say();
    pushed("1");
  }

  @Test
  void anInactiveClientThatLosesItsStreamIsNotNotifiedTwice() {
    String _ = manage();
    phone.send("<inactive xmlns='urn:xmpp:csi:0'/>");
    phone.fence("inactive");
    say();
    answer(pushed("1"));
    phone.drop();
    romeo.fence("dropped", "juliet@example.org");
    nothingPushed();
  }

  @Test
  void aSessionWhoseTimeIsOverIsNotNotifiedAgain() {
    String _ = manage();
    say();
    phone.drop();
    romeo.fence("dropped", "juliet@example.org");
    answer(pushed("1"));
    server.advance(Duration.ofMinutes(11));
    romeo.fence("over", "juliet@example.org");
    nothingPushed();
    say();
    pushed("2");
  }

  @Test
  void registrationsSurviveARestart() throws IOException {
    phone.disconnect();
    server = server.restart();
    connect();
    say();
    pushed("1");
  }

  /// The service is a client that has gone: its server answers for it.
  @Test
  void aServiceThatIsGoneIsDisabled() {
    phone.disconnect();
    app.disconnect();
    say();
    romeo.fence("sent", "juliet@example.org");
    assertThat(server.stores().keyValues("push").all(Jid.of("juliet@example.org"))).isEmpty();
  }

  /// A service that never answers, as slow as can be: the sender does not notice it.
  @Test
  void aFloodIsOneNotificationUntilTheServiceAnswers() {
    phone.disconnect();
    for (int i = 0; i < 2_000; i++) {
      romeo.send("<message to='juliet@example.org' type='chat'><body>flood</body></message>");
    }
    romeo.fence("flooded", "juliet@example.org");
    XmlElement first = pushed("1");
    nothingPushed();
    app.send(
        "<iq type='result' id='%s' to='juliet@example.org'/>".formatted(first.attribute("id")));
    pushed("2000");
    server.advance(Duration.ofSeconds(59));
    nothingPushed();
  }

  @Test
  void whoDoesNotWantToBeAServiceIsAskedOnce() {
    ScriptedClient victim = server.connect("victim@example.org/home");
    phone.send(
        "<iq type='set' id='v'>"
            + "<enable xmlns='urn:xmpp:push:0' jid='victim@example.org/home' node='n'/></iq>");
    phone.receiveFirst(each -> "v".equals(each.attribute("id")));
    phone.disconnect();
    say();
    XmlElement asked = victim.receive();
    victim.send(
        "<iq type='error' id='"
            + asked.attribute("id")
            + "' to='juliet@example.org'><error type='cancel'>"
            + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    victim.fence("refused", "juliet@example.org");
    for (int i = 0; i < 100; i++) {
      say();
    }
    server.advance(Duration.ofHours(2));
    victim.fence("later");
    assertThat(victim.unread()).isZero();
  }

  @Test
  void hugeFormsAndManyNodesAreRejected() {
    StringBuilder huge = new StringBuilder("<iq type='set' id='h'>");
    huge.append("<enable xmlns='urn:xmpp:push:0' jid='a.example' node='n'>")
        .append("<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>")
        .append("<value>http://jabber.org/protocol/pubsub#publish-options</value></field>");
    for (int i = 0; i < 1_500; i++) {
      huge.append("<field var='f").append(i).append("'><value>x</value></field>");
    }
    phone.send(huge.append("</x></enable></iq>").toString());
    assertThat(phone.receiveFirst(each -> "h".equals(each.attribute("id"))).condition())
        .isEqualTo("policy-violation");
    phone.send(
        "<iq type='set' id='l'><enable xmlns='urn:xmpp:push:0' jid='a.example' node='"
            + "n".repeat(10_000)
            + "'/></iq>");
    assertThat(phone.receiveFirst(each -> "l".equals(each.attribute("id"))).condition())
        .isEqualTo("policy-violation");
    for (int i = 0; i < 20; i++) {
      phone.send(
          "<iq type='set' id='n"
              + i
              + "'><enable xmlns='urn:xmpp:push:0' jid='a.example' node='"
              + i
              + "'/></iq>");
    }
    phone.fence("all");
    assertThat(server.stores().keyValues("push").all(Jid.of("juliet@example.org"))).hasSize(10);
  }
}
