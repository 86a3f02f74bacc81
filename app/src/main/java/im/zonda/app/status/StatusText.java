package im.zonda.app.status;

import im.zonda.acme.CertificateRenewal;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A status as text for a terminal.
final class StatusText {
  private static final String CACHE_ROW = "  %-12s %9s %9s %9s %9s %10s %10s %9s %9s%n";

  private final StringBuilder out = new StringBuilder();

  private StatusText() {}

  static String of(ServerStatus status) {
    StatusText text = new StatusText();
    text.add("zonda %s, up %s%n", status.version(), time(status.started(), status.now()));
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
    ServerStatus.Service service = status.service();
    String name = "hosts";
    for (ServerStatus.Host host : service.hosts()) {
      Instant ends = host.certificateEnds();
      add(
          "  %-10s %s: %s online; %s%n",
          name,
          host.domain(),
          host.online() == 1 ? "1 user" : host.online() + " users",
          ends == null
              ? "no certificate names it"
              : "certificate until " + until(ends, status.now()));
      name = "";
    }
    name = "listeners";
    for (ServerStatus.Port port : service.ports()) {
      add("  %-10s %s (%s)%n", name, port.address(), port.key());
      name = "";
    }
    ServerStatus.Memory memory = service.memory();
    add(
        "  memory     %s of the heap are used, %s at most%n",
        ByteCount.text(memory.used()), ByteCount.text(memory.most()));
    ServerStatus.Disk disk = service.disk();
    if (disk != null) {
      add(
          "  disk       %s of %s are free%n",
          ByteCount.text(disk.free()), ByteCount.text(disk.size()));
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
          node.segments(), node.moving(), node.forwarded(), node.waiting());
    }
  }

  private void certificate(CertificateRenewal.State state) {
    Instant ends = state.ends();
    add(
        "  acme       %s: %s; next attempt at %s%s%n",
        state.host(),
        ends == null ? "no certificate" : "certificate until " + ends,
        state.next().truncatedTo(ChronoUnit.SECONDS),
        state.failure() == null
            ? ""
            : (state.failures() == 1 ? "; failed: " : "; failed " + state.failures() + " times: ")
                + state.failure());
  }

  private void database(ServerStatus status) {
    StoreHealth health = status.health();
    Instant last = health.lastCommit();
    add(
        "  log        %s wait for a commit; %.1f commits/s, the last one %s%n",
        ByteCount.text(health.queuedBytes()),
        status.commitsPerSecond(),
        last == null ? "never" : "at " + last.truncatedTo(ChronoUnit.MILLIS));
    Instant since = health.failingSince();
    add(
        "  database   %s at %s: %s%n",
        health.product(),
        health.database(),
        since == null
            ? "storing"
            : "not storing since "
                + since.truncatedTo(ChronoUnit.SECONDS)
                + " ("
                + health.category()
                + ": "
                + health.reason()
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
    for (CacheStatistics cache : status.caches()) {
      boolean asked = cache.hits() + cache.misses() > 0;
      add(
          CACHE_ROW,
          cache.name(),
          cache.entries(),
          ByteCount.text(cache.bytes()),
          ByteCount.text(cache.bound()),
          asked ? String.format(Locale.ROOT, "%.1f %%", 100 * cache.hitRate()) : "-",
          cache.hits(),
          cache.misses(),
          cache.misses() == 0
              ? "-"
              : cache.loadTime().dividedBy(cache.misses()).toNanos() / 1_000 + " us",
          cache.evictions());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private void add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values));
  }

  private static String time(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
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
