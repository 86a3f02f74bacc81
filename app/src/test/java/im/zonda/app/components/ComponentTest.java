package im.zonda.app.components;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.component.Components;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Components and users of a server in memory, with a clock that the test advances.
class ComponentTest {
  private static final String GATEWAY = "gateway.example.org";
  private static final String SECRET = "component secret";
  private final TestServer server = start();
  private final ScriptedClient romeo = server.connect("romeo@example.org/orchard");

  private static TestServer start() {
    Components settings =
        new Components(
            List.of(),
            Duration.ofSeconds(30),
            100_000,
            2,
            Map.of(GATEWAY, SECRET, "*.example.org", SECRET, "elsewhere.lit", SECRET));
    try {
      return ServerPlan.of(StandardModules::create)
          .withClock(new FakeClock())
          .with("component", settings)
          .startInMemory();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ScriptedClient gateway() {
    return server.component(GATEWAY, SECRET);
  }

  private void chat(String to, String body) {
    romeo.send(
        "<message type='chat' id='"
            + body
            + "' to='"
            + to
            + "'><body>"
            + body
            + "</body></message>");
  }

  private static String body(XmlElement message) {
    return message.childText("body");
  }

  private static String condition(XmlElement error) {
    assertThat(error.attribute("type")).isEqualTo("error");
    return error.condition();
  }

  // ---- stanzas

  @Test
  void usersAndComponentsExchangeStanzas() {
    ScriptedClient gateway = gateway();
    chat("nurse@gateway.example.org/x", "to you");
    XmlElement received = gateway.receive();
    assertThat(received.is(ScriptedClient.COMPONENT, "message")).isTrue();
    assertThat(received.attribute("from")).isEqualTo("romeo@example.org/orchard");
    assertThat(received.child(ScriptedClient.COMPONENT, "body")).isNotNull();
    gateway.send(
        "<message type='chat' id='2' from='nurse@gateway.example.org/x'"
            + " to='romeo@example.org/orchard'><body>to me</body></message>");
    XmlElement answer = romeo.receive();
    assertThat(answer.is("jabber:client", "message")).isTrue();
    assertThat(answer.attribute("from")).isEqualTo("nurse@gateway.example.org/x");
    assertThat(answer.child("jabber:client", "body")).isNotNull();
  }

  @Test
  void requestsAndTheirErrorsCross() {
    ScriptedClient gateway = gateway();
    romeo.send(
        "<iq type='get' id='v' to='gateway.example.org'><query xmlns='jabber:iq:version'/></iq>");
    XmlElement request = gateway.receive();
    assertThat(request.attribute("id")).isEqualTo("v");
    gateway.send(
        "<iq type='error' id='v' from='gateway.example.org' to='romeo@example.org/orchard'>"
            + "<error type='cancel'><feature-not-implemented"
            + " xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>");
    assertThat(condition(romeo.receive())).isEqualTo("feature-not-implemented");
    gateway.send(
        "<iq type='get' id='p' from='gateway.example.org' to='example.org'>"
            + "<ping xmlns='urn:xmpp:ping'/></iq>");
    XmlElement pong = gateway.receive();
    assertThat(pong.attribute("type")).isEqualTo("result");
    assertThat(pong.attribute("to")).isEqualTo("gateway.example.org");
  }

  @Test
  void whatDoesNotFindItsWayComesBackToTheComponent() {
    ScriptedClient gateway = gateway();
    gateway.send(
        "<message id='1' from='gateway.example.org' to='nobody@example.org'><body>b</body>"
            + "</message>");
    XmlElement error = gateway.receive();
    assertThat(error.is(ScriptedClient.COMPONENT, "message")).isTrue();
    assertThat(condition(error)).isEqualTo("service-unavailable");
  }

  @Test
  void aSubscriptionToAGatewayWorks() {
    ScriptedClient gateway = gateway();
    romeo.send("<presence/>");
    romeo.receive();
    romeo.send("<presence type='subscribe' to='nurse@gateway.example.org'/>");
    assertThat(gateway.receive().attribute("type")).isEqualTo("subscribe");
    gateway.send(
        "<presence type='subscribed' from='nurse@gateway.example.org' to='romeo@example.org'/>"
            + "<presence from='nurse@gateway.example.org/x' to='romeo@example.org'/>");
    XmlElement presence =
        romeo.receiveFirst(
            element -> "nurse@gateway.example.org/x".equals(element.attribute("from")));
    assertThat(presence.localName()).isEqualTo("presence");
  }

  @Test
  void componentsReachEachOther() {
    ScriptedClient gateway = gateway();
    ScriptedClient other = server.component("other.example.org", SECRET);
    gateway.send(
        "<message from='gateway.example.org' to='other.example.org'><body>b</body></message>");
    assertThat(body(other.receive())).isEqualTo("b");
  }

  // ---- components that come and go

  @Test
  void stanzasWaitForAComponent() {
    chat(GATEWAY, "early");
    server.advance(Duration.ofSeconds(29));
    assertThat(body(gateway().receive())).isEqualTo("early");
    server.advance(Duration.ofSeconds(60));
    romeo.fence("f");
    assertThat(romeo.unread()).isZero();
  }

  @Test
  void stanzasThatWaitedTooLongComeBackOnce() {
    ScriptedClient gateway = gateway();
    gateway.close();
    chat("nurse@" + GATEWAY, "late");
    romeo.send("<iq type='get' id='q' to='gateway.example.org'><query xmlns='x'/></iq>");
    server.advance(Duration.ofSeconds(15));
    romeo.fence("f1");
    assertThat(romeo.unread()).isZero();
    for (int i = 0; i < 40; i++) {
      server.advance(Duration.ofSeconds(1));
    }
    assertThat(condition(romeo.receive())).isEqualTo("remote-server-timeout");
    XmlElement second = romeo.receive();
    assertThat(second.attribute("id")).isEqualTo("q");
    assertThat(condition(second)).isEqualTo("remote-server-timeout");
    romeo.fence("f2");
    assertThat(romeo.unread()).isZero();
    chat(GATEWAY, "at once");
    assertThat(condition(romeo.receive())).isEqualTo("remote-server-timeout");
    assertThat(gateway().jid()).isEqualTo(GATEWAY);
  }

  @Test
  void aDomainOfAPatternIsForgottenWhenItsComponentIsAway() {
    chat("other.example.org", "1");
    assertThat(condition(romeo.receive())).isEqualTo("remote-server-not-found");
    server.component("other.example.org", SECRET).close();
    for (int i = 0; i < 40; i++) {
      server.advance(Duration.ofSeconds(1));
    }
    chat("other.example.org", "2");
    assertThat(condition(romeo.receive())).isEqualTo("remote-server-not-found");
    ScriptedClient again = server.component("other.example.org", SECRET);
    chat("other.example.org", "3");
    assertThat(body(again.receive())).isEqualTo("3");
  }

  @Test
  void connectionsOfOneDomainAreLimited() {
    ScriptedClient first = gateway();
    ScriptedClient second = gateway();
    assertThat(second.jid()).isEqualTo(first.jid());
    ScriptedClient third = gateway();
    assertThat(third.receive().children().getFirst().localName()).isEqualTo("conflict");
  }

  // ---- discovery

  @Test
  void connectedComponentsAreListed() {
    List<String> services =
        List.of("rooms.example.org", "pubsub.example.org", "upload.example.org");
    assertThat(items()).isEqualTo(services);
    ScriptedClient gateway = gateway();
    ScriptedClient elsewhere = server.component("elsewhere.lit", SECRET);
    assertThat(elsewhere.jid()).isEqualTo("elsewhere.lit");
    assertThat(items())
        .startsWith("rooms.example.org")
        .endsWith("elsewhere.lit", GATEWAY)
        .hasSize(5);
    gateway.close();
    assertThat(items()).startsWith("rooms.example.org").endsWith("elsewhere.lit").hasSize(4);
  }

  private List<String> items() {
    romeo.send(
        "<iq type='get' id='items' to='example.org'>"
            + "<query xmlns='http://jabber.org/protocol/disco#items'/></iq>");
    XmlElement query = romeo.receive().children().getFirst();
    return query.children().stream().map(item -> item.attribute("jid")).toList();
  }

  // ---- attacks

  @Test
  void row57_aComponentSpeaksForItsDomainOnly() {
    for (String from : List.of("juliet@example.org", "example.org", "rooms.example.org")) {
      ScriptedClient gateway = gateway();
      gateway.send("<message from='" + from + "' to='romeo@example.org'><body>b</body></message>");
      assertThat(gateway.receive().children().getFirst().localName()).isEqualTo("invalid-from");
    }
    romeo.fence("f");
    assertThat(romeo.unread()).isZero();
  }

  @Test
  void row57_noComponentTakesADomainOfTheServer() {
    for (String domain : List.of("example.org", "rooms.example.org")) {
      ScriptedClient component = server.connectedComponent();
      component.openComponentStream(domain);
      assertThat(component.receive().children().getFirst().localName()).isEqualTo("conflict");
    }
  }

  @Test
  void row61_noClientSendsFromAComponentsAddress() {
    ScriptedClient gateway = gateway();
    romeo.send(
        "<message from='gateway.example.org' to='romeo@example.org'><body>b</body></message>");
    assertThat(romeo.receive().children().getFirst().localName()).isEqualTo("invalid-from");
    assertThat(gateway.unread()).isZero();
  }

  @Test
  void row63_aComponentForgesNoStanzaId() {
    ScriptedClient gateway = gateway();
    romeo.send("<presence/>");
    romeo.receive();
    gateway.send(
        "<message type='chat' from='gateway.example.org' to='romeo@example.org/orchard'>"
            + "<body>x</body>"
            + "<stanza-id xmlns='urn:xmpp:sid:0' by='romeo@example.org' id='forged'/></message>");
    List<String> ids =
        romeo.receive().children().stream()
            .filter(child -> child.localName().equals("stanza-id"))
            .map(child -> child.attribute("id"))
            .toList();
    assertThat(ids).hasSize(1).doesNotContain("forged");
  }
}
