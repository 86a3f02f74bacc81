package im.zonda.app.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// SASL2 with Bind 2 and stream management, over TLS.
@Timeout(60)
class InlineLoginTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String AGENT =
      "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>Test</software>"
          + "</user-agent>";
  private static final String BIND =
      "<bind xmlns='urn:xmpp:bind:0'><tag>Test</tag><enable xmlns='"
          + SM
          + "' resume='true'/>"
          + "</bind>";
  private static final Login JULIET =
      Login.of("juliet@example.org", TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    server.accounts(List.of("juliet@example.org", "romeo@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ScriptedClient opened() {
    return server.connected(Login.Security.DIRECT_TLS, "example.org").open("example.org");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SCRAM-SHA-512-PLUS",
        "SCRAM-SHA-256-PLUS",
        "SCRAM-SHA-1",
        "SCRAM-SHA-256",
        "PLAIN"
      })
  void everyMechanismBindsWithStreamManagement(String mechanism) {
    try (ScriptedClient client = opened()) {
      XmlElement success = client.authenticate2(JULIET.withMechanism(mechanism), AGENT + BIND);

      XmlElement bound = Objects.requireNonNull(success.child("urn:xmpp:bind:0", "bound"));
      XmlElement enabled = Objects.requireNonNull(bound.child(SM, "enabled"));
      assertThat(enabled.attribute("id")).isNotEmpty();
      assertThat(client.jid()).startsWith("juliet@example.org/Test/");
      assertThat(client.features().child("urn:ietf:params:xml:ns:xmpp-bind", "bind")).isNull();

      client.send("<presence/><r xmlns='" + SM + "'/>");
      XmlElement count = client.receiveFirst(e -> e.is(SM, "a"));
      assertThat(count.attribute("h")).isEqualTo("1");
    }
  }

  /// XEP-0515: it is a part of what both sides prove.
  @Test
  void theChallengeSaysWhichVersionOfTlsTheServerSpeaks() {
    String first = Base64.getEncoder().encodeToString("n,,n=juliet,r=abc".getBytes(US_ASCII));
    try (ScriptedClient client = opened()) {
      client.send(
          "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='SCRAM-SHA-256'><initial-response>"
              + first
              + "</initial-response></authenticate>");
      XmlElement challenge = client.receiveFirst(e -> e.localName().equals("challenge"));
      assertThat(new String(Base64.getDecoder().decode(challenge.text()), US_ASCII))
          .endsWith(",t=0304");
    }
  }

  @Test
  void aSessionIsResumedWithinTheAuthentication() {
    String id;
    String jid;
    try (ScriptedClient lost = opened()) {
      XmlElement success = lost.authenticate2(JULIET, AGENT + BIND);
      XmlElement bound = Objects.requireNonNull(success.child("urn:xmpp:bind:0", "bound"));
      id =
          Objects.requireNonNull(
              Objects.requireNonNull(bound.child(SM, "enabled")).attribute("id"));
      jid = lost.jid();
      lost.send("<presence/>");
      lost.receiveFirst(e -> e.localName().equals("presence"));
      lost.drop();
    }
    try (ScriptedClient romeo = server.connect("romeo@example.org/r")) {
      romeo.send(
          "<message to='" + jid + "' type='chat'><body>while you were away</body></message>");
      romeo.fence("sent", "juliet@example.org");
    }
    try (ScriptedClient client = opened()) {
      String resume = "<resume xmlns='" + SM + "' h='1' previd='" + id + "'/>";
      XmlElement success = client.authenticate2(JULIET, AGENT + resume + BIND);

      assertThat(success.childText("authorization-identifier")).isEqualTo(jid);
      assertThat(success.child(SM, "resumed")).isNotNull();
      assertThat(success.child("urn:xmpp:bind:0", "bound")).isNull();
      // No features: what follows is what the session was sent.
      XmlElement next = client.receiveFirst(e -> !e.is(SM, "r"));
      assertThat(next.childText("body")).isEqualTo("while you were away");
    }
  }

  @Test
  void aSessionOfSomeoneElseIsNotResumed() {
    try (ScriptedClient victim = opened();
        ScriptedClient thief = opened()) {
      XmlElement success = victim.authenticate2(JULIET, AGENT + BIND);
      XmlElement bound = Objects.requireNonNull(success.child("urn:xmpp:bind:0", "bound"));
      String id =
          Objects.requireNonNull(
              Objects.requireNonNull(bound.child(SM, "enabled")).attribute("id"));

      Login romeo =
          Login.of("romeo@example.org", TestServer.PASSWORD)
              .withSecurity(Login.Security.DIRECT_TLS);
      XmlElement answer =
          thief.authenticate2(
              romeo, "<resume xmlns='" + SM + "' h='0' previd='" + id + "'/>" + BIND);

      assertThat(answer.child(SM, "failed")).isNotNull();
      assertThat(thief.jid()).startsWith("romeo@example.org/");
      victim.fence("still-there");
    }
  }

  @Test
  void theSameClientTakesOverFromItself() {
    try (ScriptedClient old = opened();
        ScriptedClient other = opened();
        ScriptedClient client = opened()) {
      old.authenticate2(JULIET, AGENT + BIND);
      other.authenticate2(JULIET, AGENT.replace("d4565fa7", "00000000") + BIND);

      // Another tag, so that the resource is another one.
      client.authenticate2(JULIET, AGENT + BIND.replace("Test", "Renamed"));

      assertThat(old.awaitStreamError()).isEqualTo("conflict");
      other.fence("still-there");
      assertThat(client.jid()).startsWith("juliet@example.org/Renamed/").doesNotContain("d4565fa7");
    }
  }

  @Test
  void whatWaitsIsDeliveredAfterTheAnswerAndCounted() {
    try (ScriptedClient romeo = server.connect("romeo@example.org/r");
        ScriptedClient client = opened()) {
      romeo.send("<message to='juliet@example.org' type='chat'><body>offline</body></message>");
      romeo.fence("sent", "juliet@example.org");

      client.authenticate2(JULIET, AGENT + BIND);
      client.send("<presence/>");

      XmlElement message = client.receiveFirst(e -> e.localName().equals("message"));
      assertThat(message.childText("body")).isEqualTo("offline");
      assertThat(message.child("urn:xmpp:sid:0", "stanza-id")).isNotNull();
    }
  }

  // ---- tokens (XEP-0484)

  private String token(String mechanism) {
    try (ScriptedClient client = opened()) {
      XmlElement success =
          client.authenticate2(
              JULIET,
              AGENT + "<request-token xmlns='urn:xmpp:fast:0' mechanism='" + mechanism + "'/>");
      XmlElement token = Objects.requireNonNull(success.child("urn:xmpp:fast:0", "token"));
      return Objects.requireNonNull(token.attribute("token"));
    }
  }

  private ScriptedClient connected() {
    return server.connected(Login.Security.DIRECT_TLS, "example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HT-SHA-256-EXPR", "HT-SHA-256-ENDP", "HT-SHA-256-NONE"})
  void aReturningClientIsOnlineInOneRoundTripAfterTls(String mechanism) {
    String token = token(mechanism);
    try (ScriptedClient client = connected()) {
      // Header, authentication, bind and presence leave together.
      XmlElement success = client.comeBack(JULIET, mechanism, token, AGENT + BIND);

      assertThat(success.localName()).isEqualTo("success");
      assertThat(client.jid()).startsWith("juliet@example.org/Test/");
      client.fence("online");
    }
  }

  @Test
  void aTokenEndsWithThePassword() {
    String token = token("HT-SHA-256-EXPR");
    try (ScriptedClient client = connected()) {
      client.comeBack(JULIET, "HT-SHA-256-EXPR", token, AGENT + BIND);
      client.send(
          "<iq type='set' id='p'><query xmlns='jabber:iq:register'><username>juliet</username>"
              + "<password>another password</password></query></iq>");
      XmlElement changed = client.receiveFirst(e -> "p".equals(e.attribute("id")));
      assertThat(changed.attribute("type")).isEqualTo("result");
    }
    try (ScriptedClient client = connected()) {
      XmlElement failure = client.comeBack(JULIET, "HT-SHA-256-EXPR", token, AGENT + BIND);
      assertThat(failure.child(ScriptedClient.SASL, "not-authorized")).isNotNull();
    }
  }
}
