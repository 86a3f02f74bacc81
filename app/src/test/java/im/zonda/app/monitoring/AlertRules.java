package im.zonda.app.monitoring;

import java.util.List;
import java.util.stream.Stream;

/// The rules by which Prometheus raises alerts.
public final class AlertRules {
  /// A rule.
  ///
  /// @param name the name of the alert
  /// @param expression when it is raised
  /// @param lasting for how long that must have been so, as Prometheus writes it
  /// @param urgent whether somebody should be woken
  /// @param summary what is wrong, as a sentence
  /// @param action what to do, as a sentence
  record Rule(
      String name,
      String expression,
      String lasting,
      boolean urgent,
      String summary,
      String action) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "ZondaDown",
              "up{job=\"zonda\"} == 0",
              "1m",
              true,
              "{{ $labels.instance }} does not answer Prometheus.",
              "See whether the process runs, and read the end of its log."),
          new Rule(
              "ZondaStoreFails",
              "zonda_store_ok == 0",
              "30s",
              true,
              "The database of {{ $labels.instance }} does not store.",
              "Messages are not acknowledged meanwhile. Look at the database, its disk and the log."),
          new Rule(
              "ZondaTransactionsFail",
              "increase(zonda_log_failures_total[5m]) > 0",
              "0m",
              true,
              "Transactions of {{ $labels.instance }} have failed.",
              "The log has the reason as store_failing or store_work_failed."),
          new Rule(
              "ZondaStoreSlow",
              "histogram_quantile(0.99, sum by (instance, le) (rate(zonda_log_commit_seconds_bucket[5m]))) > 0.5",
              "5m",
              false,
              "1 of 100 transactions of {{ $labels.instance }} takes longer than half a second.",
              "Senders wait as long. Look at the disk, or at the load of the database server."),
          new Rule(
              "ZondaMessagesSlow",
              "histogram_quantile(0.99, sum by (instance, le) (rate(zonda_message_seconds_bucket{stage=\"inside\"}[5m]))) > 0.5",
              "5m",
              false,
              "1 of 100 messages at {{ $labels.instance }} takes longer than half a second.",
              "`zonda top` and the page Load of the console say where they wait."),
          new Rule(
              "ZondaHomesFail",
              "increase(zonda_home_failures_total[5m]) > 0",
              "0m",
              false,
              "{{ $labels.instance }} has failed to handle a stanza.",
              "This is a defect of the server or of a module: its log has the cause."),
          new Rule(
              "ZondaHomesWait",
              "zonda_mailbox_tasks > 10000",
              "2m",
              false,
              "{{ $value }} tasks wait at homes of {{ $labels.instance }}.",
              "See the CPU and the store; a single busy room is in `zonda room list --order occupants`."),
          new Rule(
              "ZondaStoreQueue",
              "zonda_log_queue_bytes > 64 * 1024 * 1024",
              "1m",
              true,
              "More than 64 MiB wait for the database of {{ $labels.instance }}.",
              "The database is slower than people write. Look at its disk and its load."),
          new Rule(
              "ZondaOtherServersWait",
              "zonda_s2s_queue_bytes > 64 * 1024 * 1024",
              "15m",
              false,
              "More than 64 MiB wait at {{ $labels.instance }} for other servers.",
              "`zonda link list` says for which, and since when."),
          new Rule(
              "ZondaDiskFull",
              "zonda_disk_free_bytes / zonda_disk_bytes < 0.1",
              "5m",
              false,
              "The disk of {{ $labels.instance }} is full to nine tenths.",
              "Remove old backups and files, or give it more room."),
          new Rule(
              "ZondaDiskFullSoon",
              "predict_linear(zonda_disk_free_bytes[6h], 24 * 3600) < 0 and zonda_disk_free_bytes / zonda_disk_bytes < 0.3",
              "1h",
              true,
              "The disk of {{ $labels.instance }} is full within a day.",
              "See what grows: `zonda file accounts`, the archives, the log."),
          new Rule(
              "ZondaCertificateEnds",
              "zonda_certificate_expiry_timestamp_seconds - time() < 14 * 24 * 3600",
              "1h",
              false,
              "The certificate of {{ $labels.host }} ends within two weeks.",
              "`zonda certificate list` and `zonda doctor` say why it was not renewed."),
          new Rule(
              "ZondaCertificateEndsSoon",
              "zonda_certificate_expiry_timestamp_seconds - time() < 2 * 24 * 3600",
              "10m",
              true,
              "The certificate of {{ $labels.host }} ends within two days.",
              "Clients and other servers do not connect afterwards."),
          new Rule(
              "ZondaFilesLimit",
              "process_open_fds / process_max_fds > 0.8",
              "2m",
              true,
              "{{ $labels.instance }} has opened four fifths of the files that it may.",
              "Raise the limit (LimitNOFILE of the unit): each connection is a file."),
          new Rule(
              "ZondaHeapFull",
              "min_over_time(jvm_memory_used_bytes{area=\"heap\"}[10m]) / ignoring(area) jvm_memory_max_bytes{area=\"heap\"} > 0.9",
              "5m",
              true,
              "The heap of {{ $labels.instance }} is full.",
              "Give it more memory in jvm.options; `zonda top` says what holds it."),
          new Rule(
              "ZondaLongPauses",
              "histogram_quantile(0.99, sum by (instance, le) (rate(zonda_gc_pause_seconds_bucket[10m]))) > 0.2",
              "10m",
              false,
              "The collector stops {{ $labels.instance }} for more than 0.2 s.",
              "Give it more memory, or look for swapping with `zonda doctor`."),
          new Rule(
              "ZondaLoginsFail",
              "sum by (instance) (rate(zonda_logins_total{outcome=\"failed\"}[5m])) > 10",
              "10m",
              false,
              "More than ten logins a second fail at {{ $labels.instance }}.",
              "Somebody guesses passwords, or a change has locked people out."),
          new Rule(
              "ZondaConnectionsRefused",
              "rate(zonda_connections_total{outcome=\"refused\"}[5m]) > 1",
              "10m",
              false,
              "{{ $labels.instance }} refuses connections.",
              "They are over a limit, or from a banned network: the log says which."),
          new Rule(
              "ZondaSlowReaders",
              "rate(zonda_network_overflows_total[10m]) > 1",
              "10m",
              false,
              "{{ $labels.instance }} closes connections that do not read.",
              "Clients or another server are slow, or a room is busier than they can read."),
          new Rule(
              "ZondaClusterDiffers",
              "max(zonda_cluster_members) != min(zonda_cluster_members)",
              "1m",
              true,
              "The nodes do not agree who is a member of the cluster.",
              "`zonda cluster members` at each node says whom it sees; look at the network between."),
          new Rule(
              "ZondaClusterWaits",
              "zonda_cluster_forwarded_stanzas > 10000",
              "2m",
              false,
              "Other nodes do not handle what {{ $labels.instance }} forwards.",
              "A node is slow or gone: compare the CPU and the pauses of all."));

  private AlertRules() {}

  /// All expressions.
  static Stream<String> expressions() {
    return RULES.stream().map(Rule::expression);
  }

  /// The names of all alerts.
  static Stream<String> names() {
    return RULES.stream().map(Rule::name);
  }

  /// The file that Prometheus reads.
  public static String yaml() {
    StringBuilder out =
        new StringBuilder(
            """
            # Generated; CONTRIBUTING.md says how. The job that reads /metrics is named zonda.
            groups:
              - name: zonda
                rules:
            """);
    for (Rule each : RULES) {
      out.append(
          """
                - alert: %s
                  expr: %s
                  for: %s
                  labels:
                    severity: %s
                  annotations:
                    summary: %s
                    description: %s
          """
              .formatted(
                  each.name(),
                  quoted(each.expression()),
                  each.lasting(),
                  each.urgent() ? "critical" : "warning",
                  quoted(each.summary()),
                  quoted(each.action())));
    }
    return out.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
