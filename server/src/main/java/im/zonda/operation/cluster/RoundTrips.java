package im.zonda.operation.cluster;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.module.Scheduler;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Measures how long a message to each other node and its answer take, on the way that stanzas
/// between nodes go. A node that does not answer, because the node is of an earlier version or was
/// not ready for the message, is asked again after a minute, and at once when its own message
/// comes. Safe for use by several threads.
public final class RoundTrips implements NodeMessage.Listener {
  /// The time between two messages to a node.
  static final Duration PERIOD = Duration.ofSeconds(5);

  /// How many of the last times count: those of five minutes.
  static final int MOST = 60;

  /// A message that is not answered for this long is thought to be lost, in nanoseconds.
  private static final long LOST = Duration.ofSeconds(60).toNanos();

  private final ClusterView view;
  private final NodeMessage.Sender sender;
  private final InstantSource clock;
  private final LongSupplier nanos;

  // Guarded by this object's monitor.
  private final Map<Member, Measured> measured = new HashMap<>();
  private long lastNumber;

  /// The last times of one node. Guarded by the monitor of the outer object.
  private static final class Measured {
    private final Deque<Long> times = new ArrayDeque<>();
    private @Nullable Instant answered;
    private long asked;
    private long number;
  }

  /// What is known of a node.
  ///
  /// @param last the last time; null before the first
  /// @param median of the last five minutes
  /// @param longest of the last five minutes
  /// @param answered when the last answer came
  /// @param waiting how long the answer to the last message has been awaited; zero if it is there
  public record Trip(
      @Nullable Duration last,
      @Nullable Duration median,
      @Nullable Duration longest,
      @Nullable Instant answered,
      Duration waiting) {}

  /// @param nanos a time in nanoseconds that only grows
  public RoundTrips(Nodes nodes, InstantSource clock, LongSupplier nanos) {
    this.view = nodes.view();
    this.sender = nodes.sender();
    this.clock = clock;
    this.nanos = nanos;
  }

  /// Begins to measure.
  public PeriodicTask start(Scheduler scheduler) {
    return PeriodicTask.start(scheduler, PERIOD, this::probe);
  }

  /// Sends a message to each node that has answered the one before, or has not for a minute.
  void probe() {
    Map<Member, Long> due = new HashMap<>();
    synchronized (this) {
      long now = nanos.getAsLong();
      measured.forEach((member, each) -> {
        boolean free = each.number == 0 || now - each.asked > LOST;
        if (free) {
          due.put(member, ask(each, now));
        }
      });
    }
    due.forEach((member, number) -> sender.post(member, new NodeMessage.Probed(number)));
  }

  private long ask(Measured to, long now) {
    to.asked = now;
    to.number = ++lastNumber;
    return to.number;
  }

  @Override
  public void receive(Member from, NodeMessage value) {
    switch (value) {
      case NodeMessage.Probed(long number) -> {
        sender.post(from, new NodeMessage.ProbeAnswered(number));
        askIfSilent(from);
      }
      case NodeMessage.ProbeAnswered(long number) -> answered(from, number);
      default -> {}
    }
  }

  /// Repeats the message to a node that has never answered, since a node that asks can answer. The
  /// number and the time stay, so that the answer to either counts, and from the first.
  private void askIfSilent(Member from) {
    long number;
    synchronized (this) {
      Measured each = measured.get(from);
      if (each == null || each.answered != null) {
        return;
      }
      number = each.number;
    }
    sender.post(from, new NodeMessage.Probed(number));
  }

  private synchronized void answered(Member from, long number) {
    Measured each = measured.get(from);
    if (each == null || each.number != number || number == 0) {
      return;
    }
    each.number = 0;
    each.answered = clock.instant();
    each.times.add(nanos.getAsLong() - each.asked);
    if (each.times.size() > MOST) {
      each.times.remove();
    }
  }

  @Override
  public void placed(Set<Member> members) {
    Set<Member> others = view.othersOf(members);
    Map<Member, Long> due = new HashMap<>();
    synchronized (this) {
      measured.keySet().retainAll(others);
      long now = nanos.getAsLong();
      for (Member each : new HashSet<>(others)) {
        if (!measured.containsKey(each)) {
          Measured added = new Measured();
          measured.put(each, added);
          due.put(each, ask(added, now));
        }
      }
    }
    due.forEach((member, number) -> sender.post(member, new NodeMessage.Probed(number)));
  }

  /// What is known of the other nodes, by their names.
  public synchronized SortedMap<String, Trip> trips() {
    long now = nanos.getAsLong();
    SortedMap<String, Trip> trips = new TreeMap<>();
    measured.forEach((member, each) ->
        trips.put(
            member.name(),
            new Trip(
                each.times.isEmpty() ? null : Duration.ofNanos(each.times.getLast()),
                quantile(each.times, 0.5),
                quantile(each.times, 1),
                each.answered,
                each.number == 0 ? Duration.ZERO : Duration.ofNanos(now - each.asked))));
    return trips;
  }

  private static @Nullable Duration quantile(Deque<Long> times, double part) {
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted.length == 0
        ? null
        : Duration.ofNanos(sorted[(int) Math.ceil(part * sorted.length) - 1]);
  }
}
