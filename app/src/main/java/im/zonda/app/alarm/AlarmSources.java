package im.zonda.app.alarm;

import im.zonda.app.alarm.Condition.Kind;
import im.zonda.config.monitoring.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sources of alarms beside the meters: the clock and the other nodes of the cluster. What takes
/// long to read is read in the background from time to time; if that fails, what was known before
/// counts. Any thread may call.
public final class AlarmSources {
  /// How many checks there are from one look to the next.
  static final int PERIOD = 3;

  private static final double MILLI = 1e3;
  private static final Logger LOG = LoggerFactory.getLogger(AlarmSources.class);

  private final Supplier<Duration> monotonic;
  private final Supplier<@Nullable Duration> database;
  private final Supplier<@Nullable ClusterFacts> cluster;

  // Guarded by this object's monitor.
  private final Map<String, Instant> wrongSince = new HashMap<>();
  private @Nullable Duration offset;
  private @Nullable Duration ahead;
  private @Nullable ClusterFacts facts;
  private int checks;
  private boolean looking;

  /// @param monotonic a time that only grows and is never set
  /// @param database how far the clock of the database is ahead; null if that is not known. Blocks
  /// @param cluster what is known of the cluster; null without one. Blocks
  public AlarmSources(
      Supplier<Duration> monotonic,
      Supplier<@Nullable Duration> database,
      Supplier<@Nullable ClusterFacts> cluster) {
    this.monotonic = monotonic;
    this.database = database;
    this.cluster = cluster;
  }

  /// What can be said now; to be called every few seconds. Does not block.
  ///
  /// @param workers looks
  synchronized List<Condition> conditions(Alarms thresholds, Instant now, Executor workers) {
    if (checks++ % PERIOD == 0 && !looking) {
      looking = true;
      try {
        workers.execute(this::look);
      } catch (RejectedExecutionException e) {
        LOG.atDebug().setCause(e).log("alarm_look_dropped"); // the server stops
      }
    }
    List<Condition> all = new ArrayList<>();
    jump(all, thresholds.clock(), now);
    difference(all, thresholds.clock());
    ClusterFacts known = facts;
    if (known != null) {
      gone(all, known, thresholds.nodeGone(), now);
      late(all, known, thresholds.nodeDelay());
    }
    return all;
  }

  private void look() {
    Duration found = null;
    ClusterFacts read = null;
    boolean failed = false;
    try {
      found = database.get();
      read = cluster.get();
    } catch (RuntimeException e) {
      failed = true; // the database, which has an alarm of its own
      LOG.atDebug().setCause(e).log("alarm_look_failed");
    }
    synchronized (this) {
      looking = false;
      if (!failed) {
        ahead = found;
        facts = read;
      }
    }
  }

  // ---- the clock

  private void jump(List<Condition> all, Duration most, Instant now) {
    Duration present = Duration.between(Instant.EPOCH, now).minus(monotonic.get());
    Duration before = offset;
    offset = present;
    if (before == null || most.isZero()) {
      return;
    }
    Duration jump = present.minus(before);
    all.add(
        new Condition(
            Kind.CLOCK,
            "",
            jump.abs().compareTo(most) > 0,
            "The clock of this machine has jumped "
                + (jump.isNegative() ? "back" : "forward")
                + " by "
                + seconds(jump)
                + "."));
  }

  private void difference(List<Condition> all, Duration most) {
    Duration difference = ahead;
    if (difference == null || most.isZero()) {
      return;
    }
    all.add(
        new Condition(
            Kind.CLOCK,
            "database",
            difference.abs().compareTo(most) > 0,
            "The clock of this machine is "
                + seconds(difference)
                + (difference.isNegative() ? " ahead of" : " behind")
                + " the clock of the database."));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.abs().toMillis() / MILLI);
  }

  // ---- the cluster

  private void gone(List<Condition> all, ClusterFacts known, Duration longest, Instant now) {
    if (longest.isZero()) {
      wrongSince.clear();
      return;
    }
    Set<String> wrong = new HashSet<>();
    for (String node : known.missing()) {
      wrong.add(Kind.NODE + node);
      all.add(
          held(
              new Condition(Kind.NODE, node, true, "The node " + node + " is gone since %s."),
              longest,
              now));
    }
    Condition alone =
        new Condition(
            Kind.QUORUM,
            "",
            !known.decided(),
            "This node is cut off since %s: other nodes are lost, and there are too few to decide.");
    Condition bare =
        new Condition(
            Kind.COPIES,
            "",
            known.withoutCopy() > 0,
            known.withoutCopy()
                + " of "
                + known.parts()
                + " parts of the cluster have no copy at another node since %s.");
    for (Condition each : List.of(alone, bare)) {
      if (each.holds()) {
        wrong.add(each.kind() + each.subject());
      }
      all.add(held(each, longest, now));
    }
    wrongSince.keySet().retainAll(wrong);
  }

  /// The same if it holds for long enough.
  private Condition held(Condition condition, Duration longest, Instant now) {
    if (!condition.holds()) {
      return condition;
    }
    Instant since = wrongSince.computeIfAbsent(condition.kind() + condition.subject(), _ -> now);
    return new Condition(
        condition.kind(),
        condition.subject(),
        !since.plus(longest).isAfter(now),
        condition.text().formatted(since.truncatedTo(ChronoUnit.SECONDS)));
  }

  private static void late(List<Condition> all, ClusterFacts known, Duration longest) {
    if (longest.isZero()) {
      return;
    }
    known
        .awaited()
        .forEach((node, time) ->
            all.add(
                new Condition(
                    Kind.REPLICATION,
                    node,
                    time.compareTo(longest) > 0,
                    "The node "
                        + node
                        + " has not answered for "
                        + seconds(time)
                        + ": stanzas and copies for it wait.")));
  }
}
