package im.zonda.app.status;

import im.zonda.acme.CertificateRenewal;
import im.zonda.json.JsonText;
import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A status as one JSON object, in one line. Times are ISO 8601, sizes bytes, durations
/// microseconds.
final class StatusJson {
  private StatusJson() {}

  static String of(ServerStatus status) {
    StoreHealth health = status.health();
    Map<String, @Nullable Object> log = new LinkedHashMap<>();
    log.put("queuedBytes", health.queuedBytes());
    log.put("commitsPerSecond", status.commitsPerSecond());
    log.put("lastCommit", health.lastCommit());
    log.put("commits", health.counters().commits());
    log.put("failures", health.counters().failures());
    Map<String, @Nullable Object> database = new LinkedHashMap<>();
    database.put("product", health.product());
    database.put("name", health.database());
    database.put("storing", health.ok());
    database.put("failingSince", health.failingSince());
    database.put("category", health.category());
    database.put("reason", health.reason());
    List<Object> caches = new ArrayList<>();
    status.caches().forEach(cache -> caches.add(cache(cache)));
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("version", status.version());
    all.put("started", status.started());
    all.put("uptimeSeconds", Duration.between(status.started(), status.now()).toSeconds());
    all.put(
        "sessions",
        Map.of(
            "connections", status.sessions().connections(),
            "online", status.sessions().online(),
            "detached", status.sessions().detached()));
    all.put(
        "homes",
        Map.of("accounts", status.homes().accounts(), "services", status.homes().services()));
    ServerStatus.Cluster node = status.cluster();
    if (node != null) {
      all.put("cluster", cluster(node));
    }
    all.put("hosts", status.service().hosts().stream().map(StatusJson::host).toList());
    all.put("listeners", status.service().ports().stream().map(StatusJson::port).toList());
    ServerStatus.Memory memory = status.service().memory();
    all.put("memory", Map.of("heapUsedBytes", memory.used(), "heapMaxBytes", memory.most()));
    ServerStatus.Disk disk = status.service().disk();
    if (disk != null) {
      all.put("disk", Map.of("freeBytes", disk.free(), "bytes", disk.size()));
    }
    if (!status.certificates().isEmpty()) {
      all.put("certificates", status.certificates().stream().map(StatusJson::certificate).toList());
    }
    all.put("log", log);
    all.put("database", database);
    all.put("caches", caches);
    return JsonText.of(all);
  }

  private static Map<String, @Nullable Object> host(ServerStatus.Host host) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("host", host.domain());
    all.put("online", host.online());
    all.put("certificateEnds", host.certificateEnds());
    return all;
  }

  private static Map<String, @Nullable Object> port(ServerStatus.Port port) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("key", port.key());
    all.put("address", port.address());
    return all;
  }

  private static Map<String, @Nullable Object> cluster(ServerStatus.Cluster node) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("node", node.node());
    all.put("state", node.state());
    all.put("placement", node.placement());
    all.put("placements", node.placements());
    all.put("members", node.members());
    all.put("segments", node.segments());
    all.put("movingSegments", node.moving());
    all.put("forwardedStanzas", node.forwarded());
    all.put("unconfirmedValues", node.waiting());
    return all;
  }

  private static Map<String, @Nullable Object> certificate(CertificateRenewal.State state) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("host", state.host());
    all.put("ends", state.ends());
    all.put("nextAttempt", state.next());
    all.put("failures", state.failures());
    all.put("reason", state.failure());
    return all;
  }

  private static Map<String, @Nullable Object> cache(CacheStatistics cache) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("name", cache.name());
    all.put("entries", cache.entries());
    all.put("bytes", cache.bytes());
    all.put("bound", cache.bound());
    all.put("hits", cache.hits());
    all.put("misses", cache.misses());
    all.put("loadMicros", cache.loadTime().toNanos() / 1_000);
    all.put("evictions", cache.evictions());
    return all;
  }
}
