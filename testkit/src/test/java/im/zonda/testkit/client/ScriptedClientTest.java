package im.zonda.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ScriptedClientTest {
  @Test
  void readsEachStanzaAsSoonAsItsLastByteHasCome() throws IOException {
    try (TinyServer server = new TinyServer(e -> "<message id='" + e.attribute("id") + "'/>");
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      assertThat(client.jid()).isEqualTo("romeo@example.org/garden");
      for (int i = 0; i < 100; i++) {
        client.send("<message id='" + i + "'/>");
        assertThat(client.receive().attribute("id")).isEqualTo("" + i);
      }
      client.disconnect();
    }
  }

  @Test
  void dropsAConnectionThatHasEnded() throws IOException {
    try (TinyServer server = new TinyServer(e -> "");
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      client.drop();
      client.drop();
      assertThat(client.unread()).isZero();
    }
  }

  @Test
  void saysThatNothingCame() throws IOException {
    try (TinyServer server = new TinyServer(e -> "");
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      client.send("<message/>");
      assertThatThrownBy(() -> client.receive(Duration.ofMillis(50)))
          .isInstanceOf(AssertionError.class)
          .hasMessage("nothing came within 50 ms");
    }
  }

  @Test
  void findsAnAnswerAndKeepsWhatCameBefore() throws IOException {
    try (TinyServer server =
            new TinyServer(e ->
                e.localName().equals("iq")
                    ? "<message id='before'/><iq type='result' id='"
                        + e.attribute("id")
                        + "'/><message id='after'/>"
                    : "");
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      client.fence("f1");
      assertThat(client.unread()).isEqualTo(1);
      assertThat(client.receive().attribute("id")).isEqualTo("before");
      assertThat(client.receive().attribute("id")).isEqualTo("after");
    }
  }

  @Test
  void hearsAStreamErrorAndTheEnd() throws IOException {
    String error =
        "<message/><stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
            + "</stream:error></stream:stream>";
    try (TinyServer server = new TinyServer(e -> error);
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      client.send("<message/>");
      assertThat(client.awaitStreamError()).isEqualTo("conflict");
      assertThat(client.next(Duration.ofSeconds(5))).isInstanceOf(StreamEvent.Closed.class);
      client.send("</stream:stream>");
      client.awaitEnd();
    }
  }

  @Test
  void judgesBrokenXmlAsTheEnd() throws IOException {
    try (TinyServer server = new TinyServer(e -> "<message></presence>");
        ScriptedClient client = server.bound("romeo@example.org/garden")) {
      client.send("<message/>");
      assertThatThrownBy(client::receive)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("Gone");
    }
  }
}
