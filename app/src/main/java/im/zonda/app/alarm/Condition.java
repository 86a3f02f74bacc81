package im.zonda.app.alarm;

import im.zonda.app.metric.Figure;
import im.zonda.config.monitoring.Alarms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that is worth an alarm while it holds.
///
/// @param subject the subject, such as a host or a node; empty for the server
/// @param holds whether a threshold is exceeded
/// @param text a sentence
record Condition(Kind kind, String subject, boolean holds, String text) {
  /// What it can be about.
  enum Kind {
    /// The disk of the data folder is nearly full.
    DISK(1),
    /// The heap is nearly full.
    HEAP(12),
    /// A certificate ends soon, or has ended.
    CERTIFICATE(1),
    /// The database does not store.
    STORE(1),
    /// Much waits to be stored.
    LOG_QUEUE(3),
    /// Much waits for other servers.
    S2S_QUEUE(3),
    /// The garbage collector stops the server for long.
    PAUSES(1),
    /// The clock of this machine jumps, or differs from that of the database.
    CLOCK(1),
    /// A node of the cluster is gone.
    NODE(1),
    /// This node is cut off: members are lost and nothing is decided.
    QUORUM(1),
    /// Parts of the cluster have no copy at another node.
    COPIES(1),
    /// Another node answers late.
    REPLICATION(2),
    /// Those who keep accounts elsewhere do not answer.
    PROVIDER(2),
    /// A plugin does not run, or is skipped, because of its faults.
    PLUGIN(1);

    private final int checks;

    Kind(int checks) {
      this.checks = checks;
    }

    /// In how many checks, one after the other, it must hold before there is an alarm.
    int checks() {
      return checks;
    }
  }

  private static final double HUNDRED = 100;
  private static final double MEBI = 1 << 20;

  /// What can be said about figures.
  static List<Condition> of(List<Figure> figures, Alarms thresholds, Instant now) {
    List<Condition> all = new ArrayList<>();
    share(all, Kind.DISK, figures, thresholds);
    share(all, Kind.HEAP, figures, thresholds);
    for (Figure each : figures) {
      switch (each.meter()) {
        case "zonda_certificate_expiry_timestamp_seconds" ->
            certificate(all, each, thresholds.certificate(), now);
        case "zonda_store_ok" ->
            all.add(
                new Condition(Kind.STORE, "", each.value() < 1, "The database does not store."));
        case "zonda_log_queue_bytes" ->
            queue(all, Kind.LOG_QUEUE, each, thresholds.logQueueBytes(), "to be stored");
        case "zonda_s2s_queue_bytes" ->
            queue(all, Kind.S2S_QUEUE, each, thresholds.s2sQueueBytes(), "for other servers");
        case "zonda_gc_pause_seconds" -> pause(all, each, thresholds.pause());
        case "zonda_provider_away" ->
            named(all, Kind.PROVIDER, each, "%s, who keeps accounts, does not answer.");
        case "zonda_plugin_faulty" ->
            named(all, Kind.PLUGIN, each, "The plugin %s is not called because of its faults.");
        default -> {}
      }
    }
    return all;
  }

  /// Whether a part of something is too large, or the rest too small.
  private static void share(
      List<Condition> all, Kind kind, List<Figure> figures, Alarms thresholds) {
    boolean disk = kind == Kind.DISK;
    int percent = disk ? thresholds.diskPercent() : thresholds.heapPercent();
    Double part = find(figures, disk ? "zonda_disk_free_bytes" : "jvm_memory_used_bytes");
    Double whole = find(figures, disk ? "zonda_disk_bytes" : "jvm_memory_max_bytes");
    if (percent == 0 || part == null || whole == null || whole <= 0) {
      return;
    }
    double share = part / whole * HUNDRED;
    String shown = String.format(Locale.ROOT, "%.1f %%", share);
    all.add(
        new Condition(
            kind,
            "",
            disk ? share < percent : share > percent,
            disk
                ? "Only " + shown + " of the disk of the data folder are free."
                : shown + " of the heap are taken."));
  }

  /// The value of a meter, of the heap where there are others.
  private static @Nullable Double find(List<Figure> figures, String meter) {
    for (Figure each : figures) {
      if (each.meter().equals(meter)
          && (each.labels().isEmpty() || each.labels().contains("heap"))) {
        return each.value();
      }
    }
    return null;
  }

  private static void certificate(
      List<Condition> all, Figure figure, Duration before, Instant now) {
    if (before.isZero() || figure.labels().isEmpty()) {
      return;
    }
    String host = figure.labels().getFirst();
    Instant ends = Instant.ofEpochSecond((long) figure.value());
    all.add(
        new Condition(
            Kind.CERTIFICATE,
            host,
            ends.isBefore(now.plus(before)),
            "The certificate of "
                + host
                + (ends.isBefore(now) ? " has ended: " : " ends: ")
                + ends
                + "."));
  }

  /// A figure that is more than 0 while something is wrong with what its label names.
  private static void named(List<Condition> all, Kind kind, Figure figure, String text) {
    if (!figure.labels().isEmpty()) {
      String subject = figure.labels().getFirst();
      all.add(new Condition(kind, subject, figure.value() > 0, text.formatted(subject)));
    }
  }

  private static void queue(List<Condition> all, Kind kind, Figure figure, int most, String what) {
    if (most > 0) {
      String size = String.format(Locale.ROOT, "%.0f MiB", figure.value() / MEBI);
      all.add(new Condition(kind, "", figure.value() > most, size + " wait " + what + "."));
    }
  }

  private static void pause(List<Condition> all, Figure figure, Duration most) {
    Double longest = figure.longest();
    if (!most.isZero() && longest != null) {
      String time = String.format(Locale.ROOT, "%.1f s", longest);
      all.add(
          new Condition(
              Kind.PAUSES,
              "",
              longest * 1_000 > most.toMillis(),
              "The garbage collector has stopped the server for " + time + "."));
    }
  }
}
