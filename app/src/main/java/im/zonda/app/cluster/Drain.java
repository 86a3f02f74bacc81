package im.zonda.app.cluster;

import im.zonda.cluster.membership.FrameTraffic;
import im.zonda.cluster.node.NodeStatus;
import im.zonda.metric.TimingCounts;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.edge.CoreEdges;
import im.zonda.stream.Stream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Empties this node so that it can be stopped: accepts no more connections, gives all homes to the
/// other nodes, then ends the streams of its clients in waves, those that can resume their sessions
/// first. Streams of edges go to other nodes. The node stays a member until it stops, or takes
/// homes again ([#join]).
///
/// Safe for use by several threads.
public final class Drain {
  /// The longest time until other nodes have all homes; the streams are ended then anyway.
  static final Duration HAND_OVER = Duration.ofSeconds(20);

  /// The longest time until what was on its way to other nodes has arrived.
  private static final Duration LAST = Duration.ofSeconds(5);

  /// Streams that are ended in a second; more if all would take longer than [#WAVES].
  private static final int A_SECOND = 500;

  private static final Duration WAVES = Duration.ofSeconds(20);
  private static final int WAVES_A_SECOND = 10;
  private static final long LOOK_MILLIS = 20;
  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

  /// How far it is.
  public enum Phase {
    /// The node takes homes and clients.
    NONE("not draining"),
    /// Others take its homes.
    HOMES("homes are handed over"),
    /// Its streams are ended.
    STREAMS("clients are sent to other nodes"),
    /// Nothing of it is needed now.
    DRAINED("drained"),
    /// Others have not taken its homes.
    FAILED("not drained: no other node takes the homes");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }

    boolean isOver() {
      return this == NONE || this == DRAINED || this == FAILED;
    }
  }

  private final ClusterNode node;
  private final NetServer net;
  private final @Nullable BoshSessions bosh;
  private final @Nullable CoreEdges edges;

  // Guarded by this object's monitor.
  private Phase phase = Phase.NONE;
  private int run;

  /// The drain of a node that has joined its cluster.
  ///
  /// @param bosh null if it is off
  /// @param edges null if it accepts no edges
  public Drain(
      ClusterNode node, NetServer net, @Nullable BoshSessions bosh, @Nullable CoreEdges edges) {
    this.node = node;
    this.net = net;
    this.bosh = bosh;
    this.edges = edges;
  }

  /// The cluster as this node sees it, and what it does.
  public ClusterStatus status() {
    return new ClusterStatus(
        node.status(), node.activity(), phase(), net.stats().connectionsOpen(), node.placements());
  }

  /// From the forwarding of stanzas until another node has confirmed that they are handled. Quick.
  public TimingCounts hops() {
    return node.hops();
  }

  /// The frames between this node and the others since the process started. Quick.
  public FrameTraffic.Counts traffic() {
    return node.traffic();
  }

  /// The node.
  ClusterNode node() {
    return node;
  }

  /// How far the node is drained.
  public synchronized Phase phase() {
    return phase;
  }

  /// Begins to drain, unless that has begun. Returns at once.
  ///
  /// @throws IOException if there is no other node
  synchronized void begin() throws IOException {
    if (phase == Phase.HOMES || phase == Phase.STREAMS || phase == Phase.DRAINED) {
      return;
    }
    if (!node.hasOthers()) {
      throw new IOException("no other node could take the homes of this one");
    }
    phase = Phase.HOMES;
    int mine = ++run;
    net.stopAccepting();
    if (bosh != null) {
      bosh.stopAccepting(); // by connections that there are
    }
    node.drain(true);
    LOG.atInfo().log("drain_begun");
    Thread.ofVirtual().name("drain").start(() -> run(mine));
  }

  /// Undoes the drain: this node gets homes again and accepts connections.
  ///
  /// @throws IOException if it cannot listen
  synchronized void join() throws IOException {
    run++;
    phase = Phase.NONE;
    node.drain(false);
    net.acceptAgain();
    if (bosh != null) {
      bosh.acceptAgain();
    }
    leaveEdges(false);
    LOG.atInfo().log("drain_undone");
  }

  /// Drains the node before the server stops. Blocks until that is done, for less than a minute.
  /// Does nothing if there is no other node.
  public synchronized void stop() {
    try {
      begin();
      while (!phase.isOver()) {
        wait();
      }
    } catch (IOException e) {
      LOG.atInfo().addKeyValue("reason", e.getMessage()).log("drain_skipped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(int mine) {
    try {
      if (!await(HAND_OVER, mine, NodeStatus::hasHandedOver)) {
        enter(Phase.FAILED, mine);
        return;
      }
      if (enter(Phase.STREAMS, mine)) {
        leaveEdges(true);
        endStreams(mine);
        awaitEdges(mine);
        await(LAST, mine, NodeStatus::isQuiet);
        enter(Phase.DRAINED, mine);
      }
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("drain_failed");
      enter(Phase.FAILED, mine);
    }
  }

  /// @return false if the drain was undone
  private synchronized boolean enter(Phase next, int mine) {
    if (mine != run) {
      return false;
    }
    phase = next;
    notifyAll();
    LOG.atInfo().addKeyValue("phase", next).log("drain");
    return true;
  }

  private synchronized boolean isUndone(int mine) {
    return mine != run;
  }

  private boolean await(Duration most, int mine, Predicate<NodeStatus> wanted) {
    long end = System.nanoTime() + most.toNanos();
    while (!isUndone(mine)) {
      if (node.isDraining() && wanted.test(node.activity())) {
        return true;
      }
      if (System.nanoTime() > end) {
        LOG.atWarn().addKeyValue("status", node.activity()).log("drain_waited_too_long");
        return false;
      }
      if (!node.isDraining() && !node.hasOthers()) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
    return false;
  }

  private void leaveEdges(boolean now) {
    if (edges != null) {
      edges.leave(now);
    }
  }

  /// Waits until the streams of edges are at other nodes. An edge that knows no other node keeps
  /// them here.
  private void awaitEdges(int mine) {
    long end = System.nanoTime() + LAST.toNanos();
    while (edges != null && edges.streams() > 0 && !isUndone(mine) && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
  }

  /// Ends the streams in waves.
  private void endStreams(int mine) {
    long open = net.stats().connectionsOpen();
    int wave = (int) Math.max(A_SECOND, open / WAVES.toSeconds()) / WAVES_A_SECOND;
    long pause = TimeUnit.SECONDS.toNanos(1) / WAVES_A_SECOND;
    while (!isUndone(mine) && net.endClients(wave, Stream::isResumable) > 0) {
      LockSupport.parkNanos(pause);
    }
    while (!isUndone(mine) && net.endClients(wave, stream -> true) > 0) {
      LockSupport.parkNanos(pause);
    }
    while (bosh != null && !isUndone(mine) && bosh.endClients(wave, stream -> true) > 0) {
      LockSupport.parkNanos(pause);
    }
  }
}
