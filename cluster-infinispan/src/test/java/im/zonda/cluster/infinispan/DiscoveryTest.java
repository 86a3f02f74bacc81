package im.zonda.cluster.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How nodes find each other.
@Timeout(120)
class DiscoveryTest {
  private final List<TestEngine> engines = new ArrayList<>();

  private TestEngine start(int host, int port, Supplier<List<EngineSettings.Peer>> peers)
      throws IOException {
    InetSocketAddress bind = new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + host), port);
    EngineSettings settings = new EngineSettings("test", bind, bind, peers, null, TestEngine.TIMES);
    TestEngine engine = new TestEngine(new Member("n" + host, host), settings);
    engines.add(engine);
    return engine.start();
  }

  @AfterEach
  void close() {
    engines.forEach(TestEngine::close);
  }

  @Test
  void nodesThatStartAloneMeetWhenTheirAddressesBecomeKnown() throws Exception {
    int port = FreePorts.next(2);
    List<EngineSettings.Peer> known = new CopyOnWriteArrayList<>();
    TestEngine first = start(1, port, () -> known);
    TestEngine second = start(2, port, () -> known);
    assertThat(first.awaitTopology(topology -> true).members()).hasSize(1);
    assertThat(second.awaitTopology(topology -> true).members()).hasSize(1);
    known.add(new EngineSettings.Peer("127.0.0.3", port)); // a node that was killed
    known.add(new EngineSettings.Peer("127.0.0.1", port));
    first.awaitTopology(topology -> topology.members().size() == 2);
    second.awaitTopology(topology -> topology.members().size() == 2);
  }

  /// Of a name's addresses, those of another family than the node's own are left out.
  @Test
  void peersAreFoundByName() throws Exception {
    int port = FreePorts.next(2);
    List<EngineSettings.Peer> peers =
        List.of(
            new EngineSettings.Peer("no-such-name.invalid", port),
            new EngineSettings.Peer("localhost", port));
    TestEngine first = start(1, port, List::of);
    TestEngine second = start(2, port, () -> peers);
    first.awaitTopology(topology -> topology.members().size() == 2);
    second.awaitTopology(topology -> topology.members().size() == 2);
  }
}
