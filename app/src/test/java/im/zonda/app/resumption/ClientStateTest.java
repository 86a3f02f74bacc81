package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Client State Indication (XEP-0352) against a whole server.
final class ClientStateTest {
  private TestServer server;
  private ScriptedClient romeo;
  private ScriptedClient juliet;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startInMemory();
    romeo = server.connect("romeo@example.org/orchard");
    juliet = server.connect("juliet@example.org/balcony");
    juliet.send("<presence/>");
    juliet.receiveFirst(e -> e.localName().equals("presence"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// Sends presence, a chat state and presence again to Juliet's client.
  private void smallTalk() {
    romeo.send(
        "<presence to='juliet@example.org/balcony'><show>away</show></presence>"
            + "<message to='juliet@example.org/balcony' type='chat'>"
            + "<composing xmlns='http://jabber.org/protocol/chatstates'/></message>"
            + "<presence to='juliet@example.org/balcony'><show>dnd</show></presence>");
    romeo.fence("said", "juliet@example.org");
  }

  private void inactive() {
    juliet.send("<inactive xmlns='urn:xmpp:csi:0'/>");
    juliet.fence("inactive");
  }

  private static String summary(XmlElement element) {
    return element.localName()
        + ":"
        + (element.child("show") == null ? "" : element.childText("show"))
        + (element.child("body") == null ? "" : element.childText("body"));
  }

  @Test
  void theFeatureIsOffered() {
    assertThat(juliet.features().child("urn:xmpp:csi:0", "csi")).isNotNull();
  }

  @Test
  void nothingIsHeldBackFromAnActiveClient() {
    smallTalk();
    assertThat(summary(juliet.receive())).isEqualTo("presence:away");
    assertThat(summary(juliet.receive())).isEqualTo("message:");
    assertThat(summary(juliet.receive())).isEqualTo("presence:dnd");
  }

  @Test
  void whatMattersBringsWhatWasHeldBackInOrder() {
    inactive();
    smallTalk();
    assertThat(juliet.unread()).isZero();
    romeo.send("<message to='juliet@example.org' type='chat'><body>wake up</body></message>");
    assertThat(summary(juliet.receive())).isEqualTo("message:");
    assertThat(summary(juliet.receive())).isEqualTo("presence:dnd");
    assertThat(summary(juliet.receive())).isEqualTo("message:wake up");
    smallTalk();
    juliet.send("<active xmlns='urn:xmpp:csi:0'/>");
    assertThat(summary(juliet.receive())).isEqualTo("message:");
    assertThat(summary(juliet.receive())).isEqualTo("presence:dnd");
  }

  @Test
  void anAnswerComesAfterWhatItsRequestMadeFlow() {
    inactive();
    smallTalk();
    juliet.send(
        "<active xmlns='urn:xmpp:csi:0'/><iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>");
    assertThat(juliet.receive().localName()).isEqualTo("message");
    assertThat(juliet.receive().localName()).isEqualTo("presence");
    assertThat(juliet.receive().attribute("id")).isEqualTo("p");
  }

  @Test
  void aResumedStreamIsActive() {
    Managed managed = Managed.enable(juliet);
    inactive();
    juliet.drop();
    Managed.Attempt again =
        Managed.resume(
            server,
            Login.of("juliet@example.org", TestServer.PASSWORD).withSecurity(Login.Security.NONE),
            managed.id(),
            1);
    assertThat(again.answer().localName()).isEqualTo("resumed");
    smallTalk();
    assertThat(summary(again.client().receive())).isEqualTo("presence:away");
  }

  @Test
  void anUnknownStateEndsTheStream() {
    juliet.send("<sleeping xmlns='urn:xmpp:csi:0'/>");
    assertThat(juliet.awaitStreamError()).isEqualTo("unsupported-stanza-type");
  }
}
