package im.zonda.app.noloss;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.FreePorts;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The packaged server and edge as processes: clients stay connected to the edge while the server
/// is killed and started again.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EdgeIT {
  private static final String SM = "urn:xmpp:sm:3";

  @TempDir private Path folder = Path.of("");
  private KilledServer core;
  private EdgeProcess edge;
  private InetSocketAddress address;

  @BeforeEach
  void start() throws Exception {
    EdgeCertificates certificates = EdgeCertificates.create(folder);
    int port = FreePorts.next();
    Path home = Files.createDirectory(folder.resolve("core"));
    core = new KilledServer(home, NoLossPlan.DOMAIN, true, "", certificates.section(port));
    core.addAccounts(List.of("romeo", "juliet"));
    core.start();
    edge = new EdgeProcess(folder, "edge", certificates, List.of(port));
    address = edge.start();
  }

  @AfterEach
  void stop() {
    edge.close();
    core.close();
  }

  private ScriptedClient connect(String user) throws IOException {
    Login login =
        Login.of(user + "@" + NoLossPlan.DOMAIN + "/home", NoLossPlan.PASSWORD)
            .withSecurity(Login.Security.STARTTLS);
    ScriptedClient client = new ScriptedClient(SocketWire.connect(address)).login(login);
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    client.receiveFirst(e -> e.is(SM, "enabled"));
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    return client;
  }

  private static void chat(ScriptedClient from, String to, String body) {
    from.send(
        "<message type='chat' to='%s@%s'><body>%s</body></message>"
            .formatted(to, NoLossPlan.DOMAIN, body));
  }

  private static String nextBody(ScriptedClient client) {
    return client.receiveFirst(e -> e.localName().equals("message")).childText("body");
  }

  /// Asks until the server has handled that many stanzas: while it is slow, it answers an `<r/>`
  /// with fewer.
  private static void awaitHandled(ScriptedClient client, int count) {
    int handled;
    do {
      client.send("<r xmlns='" + SM + "'/>");
      XmlElement answer = client.receiveFirst(e -> e.is(SM, "a"));
      handled = Integer.parseInt(Objects.requireNonNull(answer.attribute("h")));
    } while (handled < count);
    assertThat(handled).isEqualTo(count);
  }

  @Test
  void clientsStayConnectedWhileTheCoreIsKilled() throws Exception {
    try (ScriptedClient romeo = connect("romeo");
        ScriptedClient juliet = connect("juliet")) {
      chat(romeo, "juliet", "before");
      assertThat(nextBody(juliet)).isEqualTo("before");
      awaitHandled(romeo, 2); // with the presence
      for (int kill = 1; kill <= 2; kill++) {
        core.kill();
        chat(romeo, "juliet", "while it is away " + kill);
        core.start();
        assertThat(nextBody(juliet)).isEqualTo("while it is away " + kill);
        chat(juliet, "romeo", "answer " + kill);
        assertThat(nextBody(romeo)).isEqualTo("answer " + kill);
        awaitHandled(romeo, 2 + kill);
        // What is not reported as handled is sent again after a kill, and comes twice.
        awaitHandled(juliet, 1 + kill);
      }
    }
  }
}
