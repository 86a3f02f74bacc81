package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[cluster]`.
class ClusterSettingsTest {
  private static final String DATABASE =
      "[storage]\nurl = \"postgresql://localhost/x\"\nuser = \"x\"\n";
  private static final String NODE =
      "[cluster]\nname = \"x\"\nnode = \"a\"\npeers = [\"127.0.0.2:7800\"]\n";
  private static final String LOOPBACK = "bind = \"127.0.0.1:7800\"\n";
  private static final String TLS =
      "[cluster.tls]\ncertificate = \"a.pem\"\nkey = \"a.pem\"\ntrust = \"a.pem\"\n";

  @TempDir private Path folder;

  @BeforeEach
  void writeCertificate() throws Exception {
    Files.writeString(folder.resolve("a.pem"), "");
  }

  private Cluster read(String text) throws Exception {
    return new WrittenFile(folder).read(DATABASE + text).config().cluster();
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  private void assertProblem(String text, String problem) {
    assertThat(problems(text)).singleElement().asString().endsWith(problem);
  }

  @Test
  void thereIsNoClusterByDefault() throws Exception {
    Cluster cluster = new WrittenFile(folder).read("").config().cluster();
    assertThat(cluster).isEqualTo(Cluster.DEFAULTS);
    assertThat(cluster.name()).isNull();
  }

  @Test
  void aNodeAtALoopbackAddressNeedsNoTls() throws Exception {
    for (String bind : List.of("127.0.0.9:7800", "[::1]:7800", "localhost:7800")) {
      assertThat(read(NODE + "bind = \"" + bind + "\"\n").bind()).isEqualTo(bind);
    }
    Cluster secured = read(NODE + "bind = \"192.0.2.1:7800\"\n" + TLS);
    assertThat(secured.tls().trust()).isEqualTo(folder.resolve("a.pem"));
    assertThat(secured.peers()).containsExactly("127.0.0.2:7800");
  }

  @Test
  void aNodeMayBeReachedAtAnotherAddressAndNeedsNoPeers() throws Exception {
    Cluster cluster =
        read(
            "[cluster]\nname = \"x\"\nnode = \"a\"\n"
                + LOOPBACK
                + "advertise = \"a.example:7801\"\n");
    assertThat(cluster.peers()).isEmpty();
    assertThat(cluster.advertise()).isEqualTo("a.example:7801");
  }

  @Test
  void anotherAddressNeedsTls() {
    for (String host : List.of("192.0.2.1", "a.example", "127.example.org", "[2001:db8::1]")) {
      assertProblem(
          DATABASE + NODE + "bind = \"" + host + ":7800\"\n",
          "cluster.bind: " + host + " is not a loopback address, so cluster.tls must be set");
    }
  }

  @Test
  void aClusterNeedsADatabaseOnAServer() {
    assertProblem(
        NODE + LOOPBACK,
        "a cluster needs a database on a server, PostgreSQL or MariaDB; storage.url is an SQLite"
            + " file");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertProblem(
        DATABASE + "[cluster]\nname = \"x\"\npeers = [\"127.0.0.2:7800\"]\n" + LOOPBACK,
        "cluster.node must be set for a node of a cluster");
    assertProblem(DATABASE + NODE, "cluster.bind must be set for a node of a cluster");
    assertProblem(
        DATABASE + "[cluster]\nnode = \"a\"\n", "cluster.name must be set for a node of a cluster");
    assertProblem(
        DATABASE + NODE + LOOPBACK + "[cluster.tls]\nkey = \"a.pem\"\n",
        "cluster.tls.certificate, cluster.tls.key and cluster.tls.trust must be set together");
  }

  @Test
  void namesAndAddressesAreChecked() {
    assertProblem(
        DATABASE + NODE.replace("\"a\"", "\"a b\"") + LOOPBACK,
        "cluster.node must be letters, digits and hyphens, at most 63");
    assertProblem(
        DATABASE + NODE + "bind = \"0.0.0.0:7800\"\n",
        "cluster.bind must be one address, which the other nodes connect to");
    assertProblem(
        DATABASE + NODE + "bind = \"127.0.0.1:0\"\n", "cluster.bind: 127.0.0.1:0 has no port");
    assertProblem(
        DATABASE + NODE.replace("7800", "0") + LOOPBACK, "cluster.peers: 127.0.0.2:0 has no port");
    assertProblem(
        DATABASE + NODE + LOOPBACK + "advertise = \"192.0.2.1:0\"\n",
        "cluster.advertise: 192.0.2.1:0 has no port");
    assertProblem(
        DATABASE + NODE + LOOPBACK + "advertise = \"[::]:7800\"\n",
        "cluster.advertise must be one address, which the other nodes connect to");
  }
}
