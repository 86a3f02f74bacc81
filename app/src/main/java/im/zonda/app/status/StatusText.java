package im.zonda.app.status;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A status as text for a terminal.
public final class StatusText {
  private static final String CACHE_ROW = "  %-12s %9s %9s %9s %9s %10s %10s %9s %9s%n";

  private final StringBuilder out = new StringBuilder();

  private StatusText() {}

  /// The lines of a status.
  public static String of(ServerStatus status) {
    StatusText text = new StatusText();
    text.add(
        "zonda %s, up %s%n", status.version(), time(Duration.ofSeconds(status.uptimeSeconds())));
    text.add(
        "  sessions   %d online, %d detached; %d connections%n",
        status.sessions().online(), status.sessions().detached(), status.sessions().connections());
    text.add(
        "  homes      %d accounts, %d rooms%n",
        status.homes().accounts(), status.homes().services());
    text.service(status);
    text.cluster(status.cluster());
    status.certificates().forEach(text::certificate);
    text.database(status);
    text.caches(status);
    return text.out.toString();
  }

  private void service(ServerStatus status) {
    Instant now = status.started().plusSeconds(status.uptimeSeconds());
    String name = "hosts";
    for (ServerStatus.Host host : status.hosts()) {
      Instant ends = host.certificateEnds();
      add(
          "  %-10s %s: %s online; %s%n",
          name,
          host.host(),
          host.online() == 1 ? "1 user" : host.online() + " users",
          ends == null ? "no certificate names it" : "certificate until " + until(ends, now));
      name = "";
    }
    name = "listeners";
    for (ServerStatus.Port port : status.listeners()) {
      add("  %-10s %s (%s)%n", name, port.address(), port.key());
      name = "";
    }
    ServerStatus.Memory memory = status.memory();
    add(
        "  memory     %s of the heap are used, %s at most%n",
        ByteCount.text(memory.heapUsedBytes()), ByteCount.text(memory.heapMaxBytes()));
    ServerStatus.Disk disk = status.disk();
    if (disk != null) {
      add(
          "  disk       %s of %s are free%n",
          ByteCount.text(disk.freeBytes()), ByteCount.text(disk.bytes()));
    }
  }

  private static String until(Instant end, Instant now) {
    Duration left = Duration.between(now, end);
    return end.truncatedTo(ChronoUnit.SECONDS)
        + (left.isNegative() ? ", EXPIRED" : ", " + left.toDays() + " days left");
  }

  private void cluster(ServerStatus.@Nullable Cluster node) {
    if (node != null) {
      add(
          "  cluster    %s, %s; placement %s of %d members, %d since the start%n",
          node.node(), node.state(), node.placement(), node.members(), node.placements());
      add(
          "             home of %d segments, %d moving; %d stanzas on their way to other nodes, %d"
              + " values not confirmed%n",
          node.segments(),
          node.movingSegments(),
          node.forwardedStanzas(),
          node.unconfirmedValues());
    }
  }

  private void certificate(ServerStatus.Certificate state) {
    Instant ends = state.ends();
    add(
        "  acme       %s: %s; next attempt at %s%s%n",
        state.host(),
        ends == null ? "no certificate" : "certificate until " + ends,
        state.nextAttempt().truncatedTo(ChronoUnit.SECONDS),
        state.reason() == null
            ? ""
            : (state.failures() == 1 ? "; failed: " : "; failed " + state.failures() + " times: ")
                + state.reason());
  }

  private void database(ServerStatus status) {
    ServerStatus.Log log = status.log();
    Instant last = log.lastCommit();
    add(
        "  log        %s wait for a commit; %.1f commits/s, the last one %s%n",
        ByteCount.text(log.queuedBytes()),
        log.commitsPerSecond(),
        last == null ? "never" : "at " + last.truncatedTo(ChronoUnit.MILLIS));
    ServerStatus.Database database = status.database();
    Instant since = database.failingSince();
    add(
        "  database   %s at %s: %s%n",
        database.product(),
        database.name(),
        since == null
            ? "storing"
            : "not storing since "
                + since.truncatedTo(ChronoUnit.SECONDS)
                + " ("
                + database.category()
                + ": "
                + database.reason()
                + ")");
  }

  private void caches(ServerStatus status) {
    add("%n");
    add(
        CACHE_ROW,
        "cache",
        "entries",
        "size",
        "bound",
        "hit rate",
        "hits",
        "misses",
        "mean load",
        "evicted");
    for (ServerStatus.Cache cache : status.caches()) {
      long asked = cache.hits() + cache.misses();
      add(
          CACHE_ROW,
          cache.name(),
          cache.entries(),
          ByteCount.text(cache.bytes()),
          ByteCount.text(cache.bound()),
          asked == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * cache.hits() / asked),
          cache.hits(),
          cache.misses(),
          cache.misses() == 0 ? "-" : cache.loadMicros() / cache.misses() + " us",
          cache.evictions());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private void add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values));
  }

  private static String time(Duration time) {
    long days = time.toDays();
    return (days > 0 ? days + " d " : "")
        + String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            time.toHoursPart(),
            time.toMinutesPart(),
            time.toSecondsPart());
  }
}
