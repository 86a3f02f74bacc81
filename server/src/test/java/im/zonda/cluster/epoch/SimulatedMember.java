package im.zonda.cluster.epoch;

import im.zonda.cluster.ClusterRow;
import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.placement.Topology;
import java.util.ArrayDeque;
import java.util.Deque;

/// A process of an [EpochSimulation], which may stand still for a while: news that arrives
/// meanwhile is handled when it wakes.
final class SimulatedMember implements EpochOutput {
  private static final int TICK = 100;

  private final Member member;
  private final EpochSimulation simulation;
  private final SimulatedTime time;
  private final Epoch epoch;
  private final Deque<Runnable> missed = new ArrayDeque<>();
  private boolean over;
  private boolean paused;
  private long pausedSince;
  private long placement;

  /// The last topology that was delivered: a later one is never followed by an earlier one.
  private long topology;

  SimulatedMember(Member member, EpochSimulation simulation) {
    this.member = member;
    this.simulation = simulation;
    this.time = simulation.time();
    this.epoch = new Epoch(member, EpochSimulation.PATIENCE, simulation.rules(), this);
    tick();
  }

  private void tick() {
    if (!over) {
      if (!paused) {
        epoch.tick();
      }
      time.after(TICK / 2, TICK, this::tick);
    }
  }

  Member member() {
    return member;
  }

  Epoch epoch() {
    return epoch;
  }

  /// The epoch of the placement that it has installed last; 0 before the first.
  long placement() {
    return placement;
  }

  void topologyChanged(Topology next) {
    time.after(
        1,
        40,
        () ->
            input(() -> {
              if (next.id() > topology) {
                topology = next.id();
                epoch.topologyChanged(next);
              }
            }));
  }

  void rowRead(ClusterRow row) {
    input(() -> epoch.rowRead(row, time.now()));
  }

  private void input(Runnable input) {
    if (paused) {
      missed.add(input);
    } else if (!over) {
      input.run();
    }
  }

  // ---- faults

  void pause() {
    paused = true;
    pausedSince = time.now();
  }

  void wake() {
    paused = false;
    while (!missed.isEmpty() && !over) {
      missed.remove().run();
    }
  }

  boolean isPausedFor(long duration) {
    return paused && time.now() - pausedSince >= duration;
  }

  void end() {
    over = true;
  }

  // ---- what the epoch decides

  @Override
  public void readRow() {
    simulation.readRow(this);
  }

  @Override
  public void compareAndSet(long expected, ClusterRow next) {
    simulation.compareAndSet(this, expected, next);
  }

  @Override
  public void renew(long known) {
    simulation.renew(known);
  }

  @Override
  public void install(Placement next) {
    placement = next.stamp().epoch();
    simulation.installed(member, next);
  }

  @Override
  public void suspend(boolean suspended) {}

  @Override
  public void evicted(ClusterRow row) {
    simulation.end(this);
  }

  @Override
  public void left() {
    simulation.end(this);
  }

  @Override
  public String toString() {
    return member + (paused ? " paused" : "") + " in " + placement;
  }
}
