package im.zonda.cluster.membership;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.engine.ClusterEngine;
import im.zonda.cluster.epoch.Epoch;
import im.zonda.cluster.epoch.EpochOutput;
import im.zonda.cluster.frame.Frame;
import im.zonda.cluster.frame.FrameCodec;
import im.zonda.cluster.frame.FrameFormatException;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Stamp;
import im.zonda.cluster.placement.Topology;
import im.zonda.cluster.rule.ProtocolRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One incarnation of this node: its engine and its epoch. Confined to the membership's thread,
/// except for what the engine calls.
final class Incarnation implements ClusterEngine.Listener, EpochOutput {
  private static final Logger LOG = LoggerFactory.getLogger(Incarnation.class);

  /// Ticks between two looks at the row while there is nothing to decide.
  private static final int SELDOM = 5;

  /// What an incarnation uses.
  ///
  /// @param evicted called when the node has to begin again
  /// @param traffic counts frames
  record Context(
      MembershipListener listener,
      Executor thread,
      RowRequests rows,
      Runnable evicted,
      FrameTraffic traffic) {}

  private final ClusterEngine engine;
  private final Context context;
  private final Epoch epoch;
  private final AtomicReference<@Nullable Topology> arrived = new AtomicReference<>();
  private volatile MembershipStatus status;
  private volatile boolean over;

  /// Whether the row has been asked for since the last tick, because others have a newer one.
  private volatile boolean asked;

  private int ticks;

  Incarnation(ClusterEngine engine, ClusterRow row, long patience, Context context) {
    this.engine = engine;
    this.context = context;
    this.epoch = new Epoch(engine.self(), patience, new ProtocolRules(), this);
    this.status = new MembershipStatus(engine.self(), null, null, row, false);
  }

  Member self() {
    return engine.self();
  }

  MembershipStatus status() {
    return status;
  }

  void start() throws IOException {
    LOG.atInfo().addKeyValue("member", self()).log("cluster_joining");
    engine.start(this);
  }

  /// Ends the incarnation.
  void close() {
    over = true;
    engine.close();
  }

  void send(Member to, List<Frame> frames, boolean allArrived) {
    List<byte[]> written = new ArrayList<>(frames.size());
    boolean mayWait = true;
    for (Frame frame : frames) {
      written.add(FrameCodec.write(frame));
      mayWait &= frame.mayWait();
    }
    ClusterEngine.Departure urgent =
        allArrived ? ClusterEngine.Departure.AFTER_ALL_ARRIVED : ClusterEngine.Departure.AT_ONCE;
    context.traffic().sent(written);
    engine.send(to, written, mayWait ? ClusterEngine.Departure.MAY_WAIT : urgent);
  }

  void leave() {
    epoch.leave();
  }

  void drain(boolean wanted) {
    epoch.drain(wanted);
  }

  void tick() {
    asked = false;
    if (!over && (!isSettled() || ++ticks % SELDOM == 0)) {
      epoch.tick();
    }
  }

  /// Whether the last table is in force.
  private boolean isSettled() {
    Placement placement = status.placement();
    Topology seen = status.seen();
    return placement != null
        && seen != null
        && placement.stamp().equals(new Stamp(status.row().epoch(), seen.id()));
  }

  /// @param now milliseconds
  void rowRead(ClusterRow row, long now) {
    if (!over) {
      status = new MembershipStatus(self(), status.placement(), status.seen(), row, isSuspended());
      epoch.rowRead(row, now);
      if (!over && row.members().contains(self())) {
        context.listener().confirmed();
      }
    }
  }

  // ---- from the engine

  @Override
  public void topologyChanged(Topology topology) {
    // Only the last table counts, so no more than one waits.
    if (arrived.getAndSet(topology) == null) {
      context.thread().execute(this::takeTopology);
    }
  }

  private void takeTopology() {
    Topology topology = arrived.getAndSet(null);
    if (topology != null && !over) {
      status =
          new MembershipStatus(self(), status.placement(), topology, status.row(), isSuspended());
      epoch.topologyChanged(topology);
    }
  }

  @Override
  public void received(List<byte[]> frames) {
    context.traffic().received(frames);
    List<Frame> read = new ArrayList<>(frames.size());
    for (byte[] bytes : frames) {
      try {
        read.add(FrameCodec.read(bytes));
      } catch (FrameFormatException e) {
        LOG.atWarn()
            .addKeyValue("bytes", bytes.length)
            .addKeyValue("problem", e.getMessage())
            .log("cluster_frame_refused");
      }
    }
    if (over || read.isEmpty()) {
      return;
    }
    if (!asked && read.getLast().stamp().epoch() > status.row().epoch()) {
      asked = true;
      context.rows().read();
    }
    context.listener().received(read);
  }

  // ---- from the epoch

  @Override
  public void readRow() {
    context.rows().read();
  }

  @Override
  public void compareAndSet(long expected, ClusterRow next) {
    context.rows().compareAndSet(expected, next);
  }

  @Override
  public void renew(long known) {
    context.rows().renew(known);
  }

  @Override
  public void install(Placement placement) {
    status = new MembershipStatus(self(), placement, status.seen(), status.row(), isSuspended());
    LOG.atInfo()
        .addKeyValue("stamp", placement.stamp())
        .addKeyValue("members", placement.members())
        .addKeyValue("homes", homes(placement))
        .log("cluster_placement");
    context.listener().installed(placement);
  }

  /// The number of segments whose home this member is.
  private int homes(Placement placement) {
    int count = 0;
    for (int segment = 0; segment < placement.segments(); segment++) {
      count += placement.home(segment).equals(self()) ? 1 : 0;
    }
    return count;
  }

  private boolean isSuspended() {
    return status.suspended();
  }

  @Override
  public void suspend(boolean suspended) {
    status =
        new MembershipStatus(self(), status.placement(), status.seen(), status.row(), suspended);
    LOG.atWarn().addKeyValue("suspended", suspended).log("cluster_members_lost");
    context.listener().suspended(suspended);
  }

  @Override
  public void evicted(ClusterRow row) {
    over = true;
    LOG.atWarn()
        .addKeyValue("member", self())
        .addKeyValue("epoch", row.epoch())
        .log("cluster_evicted");
    try {
      context.listener().evicted();
    } finally {
      context.evicted().run();
    }
  }

  @Override
  public void left() {
    over = true;
    LOG.atInfo().addKeyValue("member", self()).log("cluster_left");
    context.listener().left();
    engine.close();
  }
}
