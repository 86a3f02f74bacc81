package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Owners;
import im.zonda.cluster.placement.Topology;
import im.zonda.testkit.database.FreePorts;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Engines over real sockets of loopback addresses.
class InfinispanEngineTest {
  private static final int NODES = 3;
  private static final int SOCKET_MILLIS = 10_000;

  private final List<TestEngine> engines = new ArrayList<>();
  private Duration verification = TestEngine.TIMES.verification();

  private List<TestEngine> start(int count, int port) throws Exception {
    for (int i = 1; i <= count; i++) {
      Member member = new Member("n" + i, 7L * i);
      TestEngine engine = new TestEngine(member, settings(i, port));
      engines.add(engine);
      engine.start();
    }
    return engines;
  }

  private EngineSettings settings(int number, int port) {
    EngineSettings all = TestEngine.settings(number, NODES, port, null);
    EngineSettings.Times times =
        new EngineSettings.Times(
            all.times().silence(), verification, all.times().merge(), all.times().join());
    return new EngineSettings(
        all.cluster(), all.bind(), all.advertised(), all.peers(), all.tls(), times);
  }

  @AfterEach
  void close() {
    engines.forEach(TestEngine::close);
  }

  @Test
  void allGetTheSameTableInTheEnd() throws Exception {
    List<TestEngine> all = start(NODES, FreePorts.next(NODES));
    List<Topology> last = tables(all, 0);
    // After a complete table another one may come, which not all have at once.
    while (last.stream().mapToLong(Topology::id).distinct().count() > 1) {
      last = tables(all, last.stream().mapToLong(Topology::id).max().orElseThrow());
    }
    assertThat(last.getFirst().members())
        .containsExactly(new Member("n1", 7), new Member("n2", 14), new Member("n3", 21));
    assertThat(last).containsOnly(last.getFirst());
    assertThat(last.getFirst().owners()).hasSize(InfinispanEngine.SEGMENTS);
  }

  @Test
  void aProcessThatHasEndedIsLostBeforeTheTimeForItsAnswerIsOver() throws Exception {
    verification = Duration.ofMinutes(10);
    int port = FreePorts.next(NODES);
    List<TestEngine> others = start(NODES - 1, port);
    try (EngineProcess process = new EngineProcess(new Member("n3", 21), NODES, NODES, port)) {
      tables(others, 0);
      process.kill();
      for (TestEngine engine : others) {
        engine.awaitTopology(table -> table.members().size() == NODES - 1);
      }
    }
  }

  /// The node is stopped while it reads who that is.
  @Test
  void aConnectionThatSaysNothingEndsWithTheNode() throws Exception {
    int port = FreePorts.next();
    TestEngine engine = start(1, port).getFirst();
    try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      socket.setSoTimeout(SOCKET_MILLIS);
      engine.close();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset"); // not even accepted
    }
  }

  /// Waits until all engines have complete tables with at least that number.
  private static List<Topology> tables(List<TestEngine> engines, long id)
      throws InterruptedException {
    List<Topology> tables = new ArrayList<>();
    for (TestEngine engine : engines) {
      tables.add(engine.awaitTopology(table -> table.id() >= id && isComplete(table)));
    }
    return tables;
  }

  /// Three members, each of them home of some segments, and each segment with a standby.
  private static boolean isComplete(Topology topology) {
    return topology.members().size() == NODES
        && topology.owners().stream().map(Owners::home).distinct().count() == NODES
        && topology.owners().stream().noneMatch(owners -> owners.standby() == null);
  }
}
