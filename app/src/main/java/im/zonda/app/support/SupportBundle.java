package im.zonda.app.support;

import im.zonda.app.certificates.CertificateOperations;
import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.app.doctor.DoctorOperations;
import im.zonda.app.federation.ConnectionOperations;
import im.zonda.app.federation.LinkOperations;
import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.log.LogOperations;
import im.zonda.app.log.RecentLines;
import im.zonda.app.metric.MetricOperations;
import im.zonda.app.status.CacheOperations;
import im.zonda.app.status.StatusOperations;
import im.zonda.json.JsonText;
import im.zonda.operation.Operation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes the file: results of operations that show neither contents nor secrets, those about nodes
/// for each node of a cluster. What cannot be had is named in the file, with the reason.
public final class SupportBundle {
  /// The most bytes of one entry; what is beyond is cut off.
  static final int MOST_BYTES = 16 << 20;

  /// The most nodes.
  private static final int MOST_NODES = 100;

  private static final String README =
      """
      What a Zonda server says of itself, for those who help with it.

      It has no contents of messages, no passwords and no keys. It has names: of hosts, of nodes, of
      other servers, and in log.txt the addresses of accounts and of their clients. Look through it
      before you give it away.
      """;

  private final Asker asker;
  private final ZipOutputStream zip;
  private final Instant now;
  private final List<String> missing = new ArrayList<>();

  /// Runs operations.
  @FunctionalInterface
  public interface Asker {
    /// Runs an operation that shows something.
    ///
    /// @return its result as plain data; what nodes have not given is under `failures`
    /// @throws IOException if there is none, with a sentence
    Map<String, @Nullable Object> ask(Operation<?, ?> operation, Map<String, String> given)
        throws IOException;
  }

  private SupportBundle(Asker asker, ZipOutputStream zip, Instant now) {
    this.asker = asker;
    this.zip = zip;
    this.now = now;
  }

  /// Writes one.
  ///
  /// @param out is not closed
  /// @throws IOException if that is not possible
  public static void write(OutputStream out, Asker asker, Instant now) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    new SupportBundle(asker, zip, now).write();
    zip.finish();
  }

  private void write() throws IOException {
    add("README.txt", README);
    List<@Nullable String> nodes = nodes();
    for (String node : nodes) {
      json(node, "version", StatusOperations.VERSION);
      json(node, "status", StatusOperations.STATUS);
      text(node, "config.toml", ConfigOperations.SHOW, "toml");
      text(node, "threads.txt", SupportOperations.THREADS, "text");
      if (node != null) {
        json(node, "cluster", ClusterOperations.STATUS);
      }
    }
    String all = nodes.size() > 1 ? Operation.ALL_NODES : null;
    all("doctor", DoctorOperations.DOCTOR, all);
    all("metrics", MetricOperations.METRICS, all);
    all("caches", CacheOperations.LIST, all);
    all("links", LinkOperations.LIST, all);
    all("components", ConnectionOperations.COMPONENTS, all);
    all("certificates", CertificateOperations.LIST, all);
    all("log-levels", LogOperations.LEVELS, all);
    if (all != null) {
      all("latency", MemberOperations.LATENCY, all);
      all("missing-nodes", MemberOperations.MISSING, null);
    }
    log(all);
    add("missing.txt", missing.isEmpty() ? "Nothing.\n" : String.join("\n", missing) + "\n");
  }

  /// The names of the nodes; without a cluster the only one, which has none.
  private List<@Nullable String> nodes() throws IOException {
    List<@Nullable String> names = new ArrayList<>();
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    try {
      found.putAll(asker.ask(MemberOperations.NODES, given(Operation.ALL_NODES)));
      add("nodes.json", JsonText.indented(found));
    } catch (IOException e) {
      missing.add("nodes: " + e.getMessage());
    }
    if (found.get("nodes") instanceof List<?> rows) {
      for (Object row : rows) {
        if (row instanceof Map<?, ?> node
            && node.get(Operation.NODE) instanceof String name
            && names.size() < MOST_NODES) {
          names.add(name);
        }
      }
    }
    if (names.isEmpty()) {
      names.add(null);
    }
    return names;
  }

  private static Map<String, String> given(@Nullable String node) {
    return node == null ? Map.of() : Map.of(Operation.NODE, node);
  }

  private @Nullable Map<String, @Nullable Object> ask(
      String name, Operation<?, ?> operation, Map<String, String> given) {
    try {
      Map<String, @Nullable Object> result = asker.ask(operation, given);
      if (result.get("failures") instanceof List<?> failures) {
        failures.forEach(each -> missing.add(name + ": " + each));
      }
      return result;
    } catch (IOException e) {
      missing.add(name + ": " + e.getMessage());
      return null;
    }
  }

  private static String folder(@Nullable String node) {
    // A name is chosen by an administrator, but becomes a path where the file is unpacked.
    return node == null ? "" : "node-" + node.replaceAll("[^A-Za-z0-9_-]", "_") + "/";
  }

  private void json(@Nullable String node, String name, Operation<?, ?> operation)
      throws IOException {
    String entry = folder(node) + name + ".json";
    Map<String, @Nullable Object> result = ask(entry, operation, given(node));
    if (result != null) {
      add(entry, JsonText.indented(result));
    }
  }

  private void text(@Nullable String node, String name, Operation<?, ?> operation, String part)
      throws IOException {
    String entry = folder(node) + name;
    Map<String, @Nullable Object> result = ask(entry, operation, given(node));
    if (result != null && result.get(part) instanceof String text) {
      add(entry, text);
    }
  }

  private void all(String name, Operation<?, ?> operation, @Nullable String node)
      throws IOException {
    Map<String, @Nullable Object> result = ask(name, operation, given(node));
    if (result != null) {
      add(name + ".json", JsonText.indented(result));
    }
  }

  private void log(@Nullable String node) throws IOException {
    Map<String, String> given = new LinkedHashMap<>(given(node));
    given.put("lines", String.valueOf(RecentLines.MOST));
    Map<String, @Nullable Object> result = ask("log.txt", LogOperations.SHOW, given);
    StringBuilder text = new StringBuilder();
    if (result != null && result.get("lines") instanceof List<?> lines) {
      for (Object each : lines) {
        if (each instanceof Map<?, ?> line) {
          Object of = line.get(Operation.NODE);
          text.append(of == null ? "" : of + " ").append(line.get("text")).append('\n');
        }
      }
      add("log.txt", text.toString());
    }
  }

  private void add(String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(now.toEpochMilli());
    zip.putNextEntry(entry);
    zip.write(bytes, 0, Math.min(bytes.length, MOST_BYTES));
    zip.closeEntry();
  }
}
