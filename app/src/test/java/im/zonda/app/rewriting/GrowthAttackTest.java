package im.zonda.app.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.HostileStanzas;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Row 23 of the attack table: stanzas that take many times their bytes when they are written
/// again, and stanzas whose written form is hard to read. With little memory.
@Timeout(120)
@Tag("small-heap")
class GrowthAttackTest {
  private static final String VICTIM = "victim@example.org/r";
  private static final String QUOTES = "'".repeat(1_000);

  @TempDir private Path data = Path.of("");
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    server.accounts(List.of("victim@example.org", "sender@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void row23_whatWouldGrowToMegabytesIsNotAcceptable() {
    try (ScriptedClient sender = login("sender@example.org/r")) {
      for (int i = 0; i < 3; i++) {
        for (String namespace : List.of("x".repeat(900), QUOTES)) {
          sender.send(growing(namespace));
          XmlElement answer = sender.receive();
          assertThat(answer.condition()).isEqualTo("not-acceptable");
          assertThat(answer.attribute("id")).isEqualTo("g");
        }
      }
      sender.send(message("still here", ""));
      sender.fence("f");
    }
    try (ScriptedClient victim = login(VICTIM)) {
      victim.send("<presence/>");
      XmlElement only = victim.receiveFirst(e -> e.localName().equals("message"));
      assertThat(only.childText("body")).isEqualTo("still here");
    }
  }

  @Test
  void row23_aNameFullOfQuotesIsReadAgainAfterARestart() throws IOException {
    String declaration = " xmlns:p=\"" + QUOTES + "\" p:a=''";
    try (ScriptedClient sender = login("sender@example.org/r")) {
      sender.send("<presence type='subscribe' id='s' to='victim@example.org'" + declaration + "/>");
      sender.send(message("quotes", declaration));
      sender.send(message("after", ""));
      sender.fence("f");
    }
    server = restarted();
    try (ScriptedClient victim = login(VICTIM)) {
      victim.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      assertThat(victim.receiveFirst(e -> "r".equals(e.attribute("id"))).attribute("type"))
          .isEqualTo("result");
      victim.send("<presence/>");
      XmlElement request = victim.receiveFirst(e -> "subscribe".equals(e.attribute("type")));
      assertThat(request.attribute("from")).isEqualTo("sender@example.org");
      List<String> bodies =
          List.of(
              victim.receiveFirst(e -> e.localName().equals("message")).childText("body"),
              victim.receiveFirst(e -> e.localName().equals("message")).childText("body"));
      assertThat(bodies).containsExactly("quotes", "after");
    }
  }

  private TestServer restarted() throws IOException {
    server.close();
    return server.restart();
  }

  private ScriptedClient login(String jid) {
    return server.connect(jid);
  }

  private static String message(String body, String attributes) {
    return "<message type='chat' to='victim@example.org'"
        + attributes
        + "><body>"
        + body
        + "</body></message>";
  }

  /// 250 kB that take megabytes if each element declares the namespaces of its attributes.
  private static String growing(String namespace) {
    return "<message id='g' to='victim@example.org'"
        + HostileStanzas.growing(namespace, 250_000)
        + "</message>";
  }
}
