package im.zonda.console.chart;

import static im.zonda.console.chart.ChartDefinition.rates;
import static im.zonda.console.chart.ChartDefinition.times;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The charts of the pages.
public final class Charts {
  /// Charts under a heading.
  ///
  /// @param text the key of the heading
  public record Group(String text, List<ChartDefinition> charts) {
    /// Copies the list.
    public Group {
      charts = List.copyOf(charts);
    }
  }

  /// People with sessions.
  public static final ChartDefinition PEOPLE =
      ChartDefinition.values("people", Unit.COUNT, "zonda_accounts_online");

  /// Stanzas of all streams.
  public static final ChartDefinition STANZAS =
      rates(
          "stanzas",
          Unit.RATE,
          "zonda_network_stanzas_total",
          "direction=\"in\"",
          "direction=\"out\"");

  /// How long messages take until they are written to a receiver.
  public static final ChartDefinition INSIDE =
      times("inside", "zonda_message_seconds", "stage=\"inside\"");

  /// How long transactions take.
  public static final ChartDefinition COMMIT = times("commit", "zonda_log_commit_seconds", "");

  /// Transactions.
  public static final ChartDefinition COMMITS =
      rates("commits", Unit.RATE, "zonda_log_commit_seconds");

  /// What waits for a transaction.
  public static final ChartDefinition LOG_QUEUE =
      ChartDefinition.values("log-queue", Unit.BYTES, "zonda_log_queue_bytes");

  /// Tasks that wait at homes.
  public static final ChartDefinition MAILBOX =
      ChartDefinition.values("mailbox", Unit.COUNT, "zonda_mailbox_tasks");

  /// Stanzas that wait for other servers.
  public static final ChartDefinition S2S_QUEUE =
      ChartDefinition.values("s2s-queue", Unit.BYTES, "zonda_s2s_queue_bytes");

  /// What waits for clients to read.
  public static final ChartDefinition WAITING =
      ChartDefinition.values("waiting", Unit.BYTES, "zonda_network_waiting_bytes");

  /// What clients have not acknowledged.
  public static final ChartDefinition UNACKNOWLEDGED =
      ChartDefinition.values("unacknowledged", Unit.BYTES, "zonda_unacknowledged_bytes");

  /// How long stanzas wait for the home of their sender.
  public static final ChartDefinition MAILBOX_WAIT =
      times("mailbox-wait", "zonda_mailbox_wait_seconds", "");

  /// The charts of the page about the load.
  public static final List<Group> LOAD =
      List.of(
          new Group(
              "load.messages",
              List.of(
                  STANZAS,
                  rates(
                      "messages",
                      Unit.RATE,
                      "zonda_messages_total",
                      "outcome=\"delivered\"",
                      "outcome=\"stored\""),
                  PEOPLE,
                  ChartDefinition.values(
                      "sessions",
                      Unit.COUNT,
                      "zonda_sessions",
                      "state=\"online\"",
                      "state=\"detached\""))),
          new Group(
              "load.time",
              List.of(
                  INSIDE,
                  times("acknowledged", "zonda_message_seconds", "stage=\"acknowledged\""),
                  MAILBOX_WAIT,
                  times("login", "zonda_login_seconds", ""),
                  rates(
                      "logins",
                      Unit.RATE,
                      "zonda_logins_total",
                      "outcome=\"succeeded\"",
                      "outcome=\"failed\""))),
          new Group("load.store", List.of(COMMIT, LOG_QUEUE)),
          new Group(
              "load.network",
              List.of(
                  ChartDefinition.values("connections", Unit.COUNT, "zonda_connections"),
                  rates(
                      "network",
                      Unit.BYTE_RATE,
                      "zonda_network_bytes_total",
                      "direction=\"in\"",
                      "direction=\"out\""),
                  S2S_QUEUE)),
          new Group(
              "load.process",
              List.of(
                  rates("cpu", Unit.CORES, "process_cpu_seconds_total"),
                  times("pauses", "zonda_gc_pause_seconds", ""),
                  ChartDefinition.values(
                      "heap", Unit.BYTES, "jvm_memory_used_bytes", "area=\"heap\""),
                  rates("allocated", Unit.BYTE_RATE, "jvm_memory_allocated_bytes_total"),
                  ChartDefinition.values("files", Unit.COUNT, "process_open_fds"))));

  /// The charts of the page about the database.
  public static final List<Group> STORE =
      List.of(
          new Group(
              "store.charts",
              List.of(
                  COMMITS,
                  COMMIT,
                  LOG_QUEUE,
                  ChartDefinition.values("disk", Unit.BYTES, "zonda_disk_free_bytes"))));

  /// The charts of the page about what waits.
  public static final List<Group> QUEUES =
      List.of(
          new Group(
              "queues.charts",
              List.of(MAILBOX, MAILBOX_WAIT, LOG_QUEUE, WAITING, UNACKNOWLEDGED, S2S_QUEUE)));

  private Charts() {}

  /// The meters of some charts.
  public static List<String> metrics(List<Group> groups) {
    Set<String> metrics = new LinkedHashSet<>();
    for (Group group : groups) {
      for (ChartDefinition chart : group.charts()) {
        chart.lines().forEach(line -> metrics.add(line.metric()));
      }
    }
    return List.copyOf(metrics);
  }
}
