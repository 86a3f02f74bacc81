package im.zonda.app.monitoring;

import im.zonda.app.monitoring.Panel.Unit;
import im.zonda.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The dashboard for Grafana: rows of panels.
public final class Dashboard {
  /// Where Grafana finds the values: the reader of the dashboard chooses.
  static final Map<String, @Nullable Object> DATASOURCE =
      Panel.ordered(Map.of("type", "prometheus", "uid", "${source}"));

  /// The nodes that the reader has chosen.
  private static final String NODES = "{instance=~\"$instance\"}";

  /// A row of panels.
  private record Row(String title, List<Panel> panels) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("At a glance", glance()),
          new Row("Messages", messages()),
          new Row("People", people()),
          new Row("What waits", waiting()),
          new Row("Store and caches", store()),
          new Row("Other servers, files, push", links()),
          new Row("Process", process()),
          new Row("Cluster", cluster()));

  private Dashboard() {}

  private static String sum(String meter) {
    return "sum(" + meter + NODES + ")";
  }

  private static String sumBy(String label, String meter) {
    return "sum by (" + label + ") (" + meter + NODES + ")";
  }

  private static String rate(String meter) {
    return "sum(rate(" + meter + NODES + "[$__rate_interval]))";
  }

  private static String rateBy(String label, String meter) {
    return "sum by (" + label + ") (rate(" + meter + NODES + "[$__rate_interval]))";
  }

  /// A percentile of a timing over all nodes.
  ///
  /// @param more conditions on labels, empty or with a comma in front
  private static String quantile(String part, String meter, String more) {
    return "histogram_quantile(%s, sum by (le) (rate(%s_bucket{instance=~\"$instance\"%s}[$__rate_interval])))"
        .formatted(part, meter, more);
  }

  private static Panel percentiles(String title, String note, String meter, String more) {
    return Panel.lines(
        title,
        Unit.SECONDS,
        note,
        quantile("0.5", meter, more),
        "median",
        quantile("0.99", meter, more),
        "99 %",
        quantile("0.999", meter, more),
        "99.9 %");
  }

  private static List<Panel> glance() {
    return List.of(
        Panel.stat(
            "Nodes", Unit.NUMBER, "count(zonda_build_info" + NODES + ")", "Nodes that answer."),
        Panel.stat(
            "Store works",
            Unit.YES,
            "min(zonda_store_ok" + NODES + ")",
            "No if a database does not store: messages are not acknowledged then."),
        Panel.stat(
            "People online",
            Unit.NUMBER,
            sum("zonda_accounts_online"),
            "Accounts and guests with sessions."),
        Panel.stat("Sessions", Unit.NUMBER, sum("zonda_sessions"), "Sessions of clients."),
        Panel.stat(
            "Messages a second",
            Unit.PER_SECOND,
            rate("zonda_messages_total"),
            "Messages that were delivered, stored for later, or not stored."),
        Panel.stat(
            "Slowest of a hundred",
            Unit.SECONDS,
            quantile("0.99", "zonda_message_seconds", ",stage=\"inside\""),
            "99 of 100 messages need less from the sender's socket to the receiver's."));
  }

  private static List<Panel> messages() {
    return List.of(
        percentiles(
            "Inside the server",
            "From the arrival of a message until it was written to the socket of a receiver.",
            "zonda_message_seconds",
            ",stage=\"inside\""),
        percentiles(
            "Until acknowledged",
            "From the arrival of a message until it was stored and may be acknowledged.",
            "zonda_message_seconds",
            ",stage=\"acknowledged\""),
        Panel.lines(
            "Messages by outcome",
            Unit.PER_SECOND,
            "Delivered to a session, stored for later, or not stored for want of room.",
            rateBy("outcome", "zonda_messages_total"),
            "{{outcome}}"),
        Panel.lines(
            "Stanzas of clients",
            Unit.PER_SECOND,
            "Stanzas that clients have sent.",
            rateBy("kind", "zonda_stanzas_total"),
            "{{kind}}"),
        Panel.lines(
            "Stanzas of all streams",
            Unit.PER_SECOND,
            "Received and written, with those of other servers and components.",
            rateBy("direction", "zonda_network_stanzas_total"),
            "{{direction}}"),
        Panel.lines(
            "Errors",
            Unit.PER_SECOND,
            "Answered with an error; and failures of the server, each of which is in its log.",
            rate("zonda_stanzas_rejected_total"),
            "rejected",
            rate("zonda_home_failures_total"),
            "failed"));
  }

  private static List<Panel> people() {
    return List.of(
        Panel.lines(
            "People online by host",
            Unit.NUMBER,
            "Accounts and guests with sessions.",
            sumBy("host", "zonda_accounts_online"),
            "{{host}}"),
        Panel.lines(
            "Sessions",
            Unit.NUMBER,
            "With a stream, or waiting for one.",
            sumBy("state", "zonda_sessions"),
            "{{state}}"),
        Panel.lines(
            "Logins",
            Unit.PER_SECOND,
            "Attempts with a password or a token.",
            rateBy("outcome", "zonda_logins_total"),
            "{{outcome}}"),
        percentiles(
            "Time to log in",
            "From the request to authenticate until success, with the time of the client.",
            "zonda_login_seconds",
            ""),
        Panel.lines(
            "Sessions without a stream",
            Unit.PER_SECOND,
            "Sessions that lost their stream, got another one, or ended without one.",
            rateBy("change", "zonda_session_changes_total"),
            "{{change}}"),
        Panel.lines(
            "Connections",
            Unit.PER_SECOND,
            "New connections; refused ones are over a limit or banned.",
            rateBy("outcome", "zonda_connections_total"),
            "{{outcome}}"));
  }

  private static List<Panel> waiting() {
    return List.of(
        Panel.lines(
            "At homes",
            Unit.NUMBER,
            "Tasks that wait until an account or a room handles them.",
            sum("zonda_mailbox_tasks"),
            "tasks"),
        percentiles(
            "Wait at homes",
            "From the arrival of a stanza until its sender's home takes it.",
            "zonda_mailbox_wait_seconds",
            ""),
        Panel.lines(
            "Bytes that wait",
            Unit.BYTES,
            "For clients to read, for clients to acknowledge, for the database, for other servers.",
            sum("zonda_network_waiting_bytes"),
            "to be read",
            sum("zonda_unacknowledged_bytes"),
            "to be acknowledged",
            sum("zonda_log_queue_bytes"),
            "to be stored",
            sum("zonda_s2s_queue_bytes"),
            "for other servers"));
  }

  private static List<Panel> store() {
    return List.of(
        percentiles(
            "Transactions of the message log",
            "Messages are acknowledged after these.",
            "zonda_log_commit_seconds",
            ""),
        Panel.lines(
            "Transactions",
            Unit.PER_SECOND,
            "Transactions, what they store, and those that failed.",
            rate("zonda_log_commit_seconds_count"),
            "transactions",
            rate("zonda_log_entries_total"),
            "entries",
            rate("zonda_log_failures_total"),
            "failures"),
        Panel.lines(
            "Cache hits",
            Unit.PART,
            "The part of look-ups that need no database.",
            "sum by (cache) (rate(zonda_cache_hits_total%1$s[$__rate_interval])) / (sum by (cache) (rate(zonda_cache_hits_total%1$s[$__rate_interval])) + sum by (cache) (rate(zonda_cache_load_seconds_count%1$s[$__rate_interval])))"
                .formatted(NODES),
            "{{cache}}"),
        Panel.lines(
            "Size of caches",
            Unit.BYTES,
            "Estimated; each has a bound.",
            sumBy("cache", "zonda_cache_bytes"),
            "{{cache}}"),
        Panel.lines(
            "Evictions",
            Unit.PER_SECOND,
            "Entries removed to keep the bound: a larger cache may help.",
            rateBy("cache", "zonda_cache_evictions_total"),
            "{{cache}}"),
        Panel.lines(
            "Free disk",
            Unit.BYTES,
            "Where the data folder is.",
            "min by (instance) (zonda_disk_free_bytes" + NODES + ")",
            "{{instance}}"));
  }

  private static List<Panel> links() {
    return List.of(
        Panel.lines(
            "Links",
            Unit.NUMBER,
            "Pairs of domains with stanzas to or from other servers, and external components.",
            sum("zonda_s2s_links"),
            "pairs of domains",
            sum("zonda_components"),
            "components"),
        Panel.lines(
            "Push",
            Unit.PER_SECOND,
            "Notifications to push services.",
            rateBy("outcome", "zonda_push_notifications_total"),
            "{{outcome}}"),
        Panel.lines(
            "Uploads",
            Unit.BYTES_PER_SECOND,
            "Files that clients have uploaded.",
            rate("zonda_upload_bytes_total"),
            "bytes"),
        Panel.lines(
            "HTTP",
            Unit.PER_SECOND,
            "Responses, those of BOSH too.",
            rateBy("code", "zonda_http_responses_total"),
            "{{code}}"),
        Panel.lines(
            "Administration",
            Unit.PER_SECOND,
            "Operations of administrators and of programs with a token.",
            rateBy("outcome", "zonda_operations_total"),
            "{{outcome}}"),
        Panel.lines(
            "Certificates",
            Unit.SECONDS,
            "How long the certificates are still valid.",
            "min by (host) (zonda_certificate_expiry_timestamp_seconds" + NODES + ") - time()",
            "{{host}}"));
  }

  private static List<Panel> process() {
    return List.of(
        Panel.lines(
            "CPU",
            Unit.PART,
            "Of all processors of the machine.",
            "rate(process_cpu_seconds_total%1$s[$__rate_interval]) / jvm_available_processors%1$s"
                .formatted(NODES),
            "{{instance}}"),
        Panel.lines(
            "Memory",
            Unit.BYTES,
            "Of the process, and used of the heap, garbage included.",
            sumBy("instance", "process_resident_memory_bytes"),
            "process {{instance}}",
            "jvm_memory_used_bytes{area=\"heap\",instance=~\"$instance\"}",
            "heap {{instance}}"),
        percentiles(
            "Collector pauses",
            "Pauses of the process for garbage collection.",
            "zonda_gc_pause_seconds",
            ""),
        Panel.lines(
            "Open files",
            Unit.PART,
            "Of the most that the system allows; each connection is one.",
            "process_open_fds%1$s / process_max_fds%1$s".formatted(NODES),
            "{{instance}}"),
        Panel.lines(
            "Network",
            Unit.BYTES_PER_SECOND,
            "Of streams, unencrypted.",
            rateBy("direction", "zonda_network_bytes_total"),
            "{{direction}}"),
        Panel.lines(
            "Slow readers",
            Unit.PER_SECOND,
            "Connections closed because too much waited for them.",
            rate("zonda_network_overflows_total"),
            "closed"));
  }

  private static List<Panel> cluster() {
    return List.of(
        Panel.lines(
            "Members",
            Unit.NUMBER,
            "The cluster as each node sees it: the same number at all of them.",
            "zonda_cluster_members" + NODES,
            "{{instance}}"),
        Panel.lines(
            "Segments of homes",
            Unit.NUMBER,
            "How accounts and rooms are shared between the nodes.",
            "zonda_cluster_segments" + NODES,
            "{{instance}}"),
        Panel.lines(
            "Not confirmed by other nodes",
            Unit.NUMBER,
            "Stanzas that other nodes have not handled, and values that they have not confirmed.",
            sum("zonda_cluster_forwarded_stanzas"),
            "stanzas",
            sum("zonda_cluster_unconfirmed_values"),
            "values"),
        Panel.lines(
            "Between nodes",
            Unit.BYTES_PER_SECOND,
            "Of frames between the nodes, unencrypted: each is counted where it was sent.",
            rate("zonda_cluster_bytes_total{direction=\"out\"}"),
            "sent"),
        Panel.lines(
            "Streams at edges",
            Unit.NUMBER,
            "Streams of clients at the edges that are connected.",
            sum("zonda_edge_streams"),
            "streams",
            sum("zonda_edges"),
            "edges"));
  }

  /// All expressions.
  static Stream<String> expressions() {
    return ROWS.stream()
        .flatMap(row -> row.panels().stream())
        .flatMap(panel -> panel.queries().stream())
        .map(Panel.Query::expression);
  }

  /// The file that Grafana imports.
  public static String json() {
    List<Map<String, @Nullable Object>> panels = new ArrayList<>();
    int y = 0;
    for (Row row : ROWS) {
      panels.add(heading(row.title(), panels.size() + 1, y));
      y++;
      int x = 0;
      int height = 0;
      for (Panel each : row.panels()) {
        if (x + each.kind().width > Panel.COLUMNS) {
          x = 0;
          y += height;
        }
        panels.add(each.json(panels.size() + 1, x, y));
        x += each.kind().width;
        height = each.kind().height;
      }
      y += height;
    }
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("title", "Zonda");
    json.put("uid", "zonda");
    json.put("description", "An XMPP server: messages, people, queues, store, process, cluster.");
    json.put("tags", List.of("xmpp", "zonda"));
    json.put("schemaVersion", 39);
    json.put("editable", true);
    json.put("refresh", "30s");
    json.put("time", Panel.ordered(Map.of("from", "now-3h", "to", "now")));
    json.put("timezone", "browser");
    json.put("templating", Map.of("list", List.of(source(), instance())));
    json.put("panels", panels);
    return JsonText.indented(json);
  }

  private static Map<String, @Nullable Object> heading(String title, int id, int y) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", id);
    row.put("type", "row");
    row.put("title", title);
    row.put("collapsed", false);
    row.put("gridPos", Panel.ordered(Map.of("x", 0, "y", y, "w", Panel.COLUMNS, "h", 1)));
    row.put("panels", List.of());
    return row;
  }

  private static Map<String, @Nullable Object> source() {
    Map<String, @Nullable Object> variable = new LinkedHashMap<>();
    variable.put("name", "source");
    variable.put("label", "Source");
    variable.put("type", "datasource");
    variable.put("query", "prometheus");
    return variable;
  }

  private static Map<String, @Nullable Object> instance() {
    Map<String, @Nullable Object> variable = new LinkedHashMap<>();
    variable.put("name", "instance");
    variable.put("label", "Node");
    variable.put("type", "query");
    variable.put("datasource", DATASOURCE);
    variable.put("query", "label_values(zonda_build_info, instance)");
    variable.put("refresh", 2);
    variable.put("includeAll", true);
    variable.put("allValue", ".*");
    variable.put("multi", true);
    variable.put("current", Panel.ordered(Map.of("text", "All", "value", "$__all")));
    return variable;
  }
}
