package im.zonda.app.status;

import im.zonda.storage.cache.CacheStatistics;
import im.zonda.storage.sql.log.StoreHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
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
    all.put("log", log);
    all.put("database", database);
    all.put("caches", caches);
    return write(all);
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

  private static String write(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Number number -> number.toString();
      case Boolean flag -> flag.toString();
      case Map<?, ?> map -> {
        StringJoiner members = new StringJoiner(",", "{", "}");
        map.forEach((name, member) -> members.add(quote(name.toString()) + ":" + write(member)));
        yield members.toString();
      }
      case List<?> list -> {
        StringJoiner elements = new StringJoiner(",", "[", "]");
        list.forEach(element -> elements.add(write(element)));
        yield elements.toString();
      }
      default -> quote(value.toString());
    };
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
