package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.placement.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jgroups.JChannel;
import org.jspecify.annotations.Nullable;

/// An engine with all that it has reported.
final class TestEngine implements ClusterEngine.Listener, AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  /// Failures are noticed soon.
  static final EngineSettings.Times TIMES =
      new EngineSettings.Times(
          Duration.ofSeconds(2),
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  final InfinispanEngine engine;
  private final List<byte[]> frames = new ArrayList<>();
  private final List<Topology> topologies = new ArrayList<>();

  TestEngine(Member self, EngineSettings settings) {
    engine = new InfinispanEngine(self, settings);
  }

  /// The settings of a node at 127.0.0.`host`, with the nodes at 127.0.0.1 and so on as peers.
  static EngineSettings settings(int host, int nodes, int port, @Nullable SSLContext tls) {
    List<EngineSettings.Peer> peers = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      peers.add(new EngineSettings.Peer("127.0.0." + i, port));
    }
    InetSocketAddress bind = new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + host), port);
    return new EngineSettings("test", bind, bind, () -> peers, tls, TIMES);
  }

  TestEngine start() throws IOException {
    engine.start(this);
    return this;
  }

  @Override
  public synchronized void topologyChanged(Topology topology) {
    topologies.add(topology);
    notifyAll();
  }

  @Override
  public synchronized void received(List<byte[]> received) {
    frames.addAll(received);
    notifyAll();
  }

  /// Waits for a table.
  synchronized Topology awaitTopology(Predicate<Topology> condition) throws InterruptedException {
    await(() -> !topologies.isEmpty() && condition.test(topologies.getLast()));
    return topologies.getLast();
  }

  /// Waits for `count` frames.
  synchronized List<byte[]> awaitFrames(int count) throws InterruptedException {
    await(() -> frames.size() >= count);
    return new ArrayList<>(frames);
  }

  synchronized List<Topology> topologies() {
    return new ArrayList<>(topologies);
  }

  private synchronized void await(Condition condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("it did not come; tables: " + topologies);
      }
      wait(left);
    }
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  JChannel channel() {
    JChannel channel = engine.channel();
    if (channel == null) {
      throw new IllegalStateException("not started");
    }
    return channel;
  }

  @Override
  public void close() {
    engine.close();
  }
}
