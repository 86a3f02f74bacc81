package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What was sent to a session that has no stream now (XEP-0198) also reaches a client that logs in
/// meanwhile.
final class DetachedDeliveryTest {
  private static final Login BALCONY =
      Login.of("juliet@example.org/balcony", TestServer.PASSWORD).withSecurity(Login.Security.NONE);
  private static final String ENABLE_CARBONS =
      "<iq type='set' id='carbons'><enable xmlns='urn:xmpp:carbons:2'/></iq>";

  private TestServer server;
  private ScriptedClient romeo;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(new FakeClock()).startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void say(String body) {
    romeo.send("<message to='juliet@example.org' type='chat'><body>" + body + "</body></message>");
    romeo.fence("said" + body, "juliet@example.org");
  }

  private static XmlElement message(ScriptedClient client) {
    return client.receiveFirst(e -> e.localName().equals("message"));
  }

  private static String stanzaId(XmlElement message) {
    return String.valueOf(Objects.requireNonNull(message.child("stanza-id")).attribute("id"));
  }

  private ScriptedClient available(String resource) {
    return server.connect("juliet@example.org/" + resource).send("<presence/>");
  }

  /// All that the client has not read, messages only, as text.
  private static List<String> rest(ScriptedClient client) {
    client.fence("rest");
    return IntStream.range(0, client.unread())
        .mapToObj(i -> client.receive())
        .filter(e -> e.localName().equals("message"))
        .map(XmlElement::toString)
        .toList();
  }

  @Test
  void aNewSessionGetsWhatWasSentToOneWithoutAStream() {
    Managed balcony = Managed.online(server, "juliet@example.org/balcony").acknowledge(1);
    say("1");
    assertThat(balcony.nextBody()).isEqualTo("1");
    balcony.client().drop(); // not acknowledged
    romeo.fence("dropped", "juliet@example.org");
    say("2");

    ScriptedClient phone = available("phone");
    XmlElement first = message(phone);
    assertThat(first.childText("body")).isEqualTo("1");
    assertThat(first.child("delay")).isNotNull();
    XmlElement second = message(phone);
    assertThat(second.childText("body")).isEqualTo("2");
    say("3");
    assertThat(message(phone).childText("body")).isEqualTo("3");

    // The old session gets them too when it comes back, with the same ids.
    Managed.Attempt again = Managed.resume(server, BALCONY, balcony.id(), 1);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    assertThat(stanzaId(message(again.client()))).isEqualTo(stanzaId(first));
    assertThat(stanzaId(message(again.client()))).isEqualTo(stanzaId(second));
    assertThat(message(again.client()).childText("body")).isEqualTo("3");
    assertThat(rest(phone)).isEmpty();
  }

  @Test
  void aMessageThatTheNewSessionHasReceivedIsNotDeliveredLater() {
    Managed balcony = Managed.online(server, "juliet@example.org/balcony").acknowledge(1);
    balcony.client().drop();
    romeo.fence("dropped", "juliet@example.org");
    say("1");
    ScriptedClient phone = available("phone");
    assertThat(message(phone).childText("body")).isEqualTo("1");
    phone.fence("read");
    // The old session is given up, by a new one in its place.
    ScriptedClient again = available("balcony");
    again.fence("available");
    assertThat(rest(again)).isEmpty();
    assertThat(rest(available("third"))).isEmpty();
    assertThat(rest(phone)).isEmpty();
  }

  @Test
  void whatASessionWithAStreamHasOnTheWayItDoesNotGet() {
    Managed balcony = Managed.online(server, "juliet@example.org/balcony").acknowledge(1);
    say("1");
    assertThat(balcony.nextBody()).isEqualTo("1");
    // Something else waits, so that the log is read.
    ScriptedClient phone = server.connect("juliet@example.org/phone");
    romeo.send("<message to='juliet@example.org/phone' type='chat'><body>own</body></message>");
    romeo.fence("own", "juliet@example.org");
    phone.send("<presence/>");
    assertThat(message(phone).childText("body")).isEqualTo("own");
    assertThat(rest(phone)).isEmpty();
    // When that one loses its stream it gets it.
    balcony.client().drop();
    assertThat(message(phone).childText("body")).isEqualTo("1");
  }

  @Test
  void aLiveSessionOfLowerPriorityGetsItOnceWhenTheHighestHaveNoStream() {
    Managed balcony = Managed.enable(server.connect("juliet@example.org/balcony"));
    balcony.client().send("<presence><priority>5</priority></presence>");
    balcony.client().receiveFirst(e -> e.localName().equals("presence"));
    ScriptedClient phone = available("phone");
    phone.send(ENABLE_CARBONS);
    phone.fence("carbons enabled");
    rest(phone);
    say("1");
    assertThat(message(phone).child("received")).isNotNull();
    balcony.client().drop();
    romeo.fence("dropped", "juliet@example.org");
    say("2");
    XmlElement second = message(phone);
    assertThat(second.childText("body")).isEqualTo("2");
    // Neither as a copy as well, nor again at the next presence.
    phone.send("<presence><show>away</show></presence>");
    assertThat(rest(phone)).isEmpty();
  }
}
