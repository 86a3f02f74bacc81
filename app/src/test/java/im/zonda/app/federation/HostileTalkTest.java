package im.zonda.app.federation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.scenario.Stage;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.HostileStanzas;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.testkit.xml.XmlStreamReading;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Stanzas that are hard to write and to read again arrive as they were meant on every way between
/// two clients: direct, by an edge, on a WebSocket, by BOSH, between nodes, between servers. The
/// JDK's parser judges.
@Timeout(120)
class HostileTalkTest {
  private static final int STANZAS = 60;
  private static final String ROMEO = "romeo@example.org/orchard";
  private static final String JULIET = "juliet@example.org/balcony";

  @ParameterizedTest
  @EnumSource(ServerPlan.Access.class)
  void betweenClientsOfOneServer(ServerPlan.Access access) throws Exception {
    try (TestServer server = plan().withAccess(access).startOnSockets()) {
      talk(server, ROMEO, JULIET);
    }
  }

  @Test
  void overALinkThatWritesItsValues() throws Exception {
    try (TestServer server = plan().withWritingLink().startOnSockets()) {
      talk(server, ROMEO, JULIET);
    }
  }

  @Test
  void betweenTwoNodes() throws Exception {
    try (TestCluster cluster = TestCluster.start(plan(), 2)) {
      talk(cluster, ROMEO, JULIET);
    }
  }

  @Test
  void betweenTwoServers(@TempDir Path folder) throws Exception {
    TwoServers.makeCertificates(folder);
    try (TwoServers servers =
            TwoServers.start(TwoServers.Mode.DIRECT_TLS, folder, UnaryOperator.identity());
        ScriptedClient sender = servers.a().connect("romeo@" + TwoServers.A + "/orchard");
        ScriptedClient receiver = servers.b().connect("juliet@" + TwoServers.B + "/balcony")) {
      talk(sender, receiver);
    }
  }

  private static ServerPlan plan() {
    return ServerPlan.of(StandardModules::create);
  }

  private static void talk(Stage stage, String from, String to) throws XMLStreamException {
    stage.accounts(List.of(from, to));
    try (ScriptedClient sender = stage.connect(from);
        ScriptedClient receiver = stage.connect(to)) {
      talk(sender, receiver);
    }
  }

  private static void talk(ScriptedClient sender, ScriptedClient receiver)
      throws XMLStreamException {
    receiver.send("<presence/>");
    receiver.receiveFirst(e -> e.localName().equals("presence"));
    List<XmlElement> sent = new ArrayList<>();
    for (int seed = 0; seed < STANZAS; seed++) {
      String attributes = " type='headline' id='h" + seed + "' to='" + receiver.jid() + "'";
      String xml = HostileStanzas.stanza(new SplittableRandom(seed), "message", attributes);
      sent.add(parsed(xml));
      sender.send(xml);
    }
    sender.fence("sent", receiver.jid().replaceAll(".*@(.*)/.*", "$1"));
    sender.send("<message type='headline' id='last' to='" + receiver.jid() + "'/>");
    Set<String> rejected = new HashSet<>();
    sender.fence("all errors");
    while (sender.unread() > 0) {
      XmlElement error = sender.receive();
      assertThat(error.condition()).isEqualTo("not-acceptable");
      rejected.add(error.attribute("id"));
    }
    assertThat(rejected).hasSizeLessThan(STANZAS / 4);
    for (XmlElement meant : sent) {
      if (!rejected.contains(meant.attribute("id"))) {
        XmlElement received = receiver.receiveFirst(e -> e.localName().equals("message"));
        assertThat(received.attribute("id")).isEqualTo(meant.attribute("id"));
        assertThat(received.children()).isEqualTo(meant.children());
        assertThat(received.text()).isEqualTo(meant.text());
      }
    }
    assertThat(receiver.receive().attribute("id")).isEqualTo("last");
  }

  private static XmlElement parsed(String stanza) throws XMLStreamException {
    String stream = "<stream xmlns='jabber:client'>" + stanza + "</stream>";
    XmlStreamReading reading =
        new XmlStreamReading(new ByteArrayInputStream(stream.getBytes(UTF_8)));
    reading.readRoot();
    return Objects.requireNonNull(reading.readChild());
  }
}
