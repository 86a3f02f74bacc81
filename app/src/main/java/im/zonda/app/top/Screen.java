package im.zonda.app.top;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.federation.ServerLink;
import im.zonda.app.finding.TerminalText;
import im.zonda.app.metric.MetricOperations;
import im.zonda.app.status.ByteCount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi.Style;

/// Shows a [Frame] as lines of text.
///
/// @param width the columns of the terminal
/// @param height its lines; what does not fit is left out at the end
/// @param colours whether it shows them
/// @param zone the time zone of the clock
record Screen(int width, int height, boolean colours, ZoneId zone) {
  private static final int MOST_ROWS = 8;
  private static final int BAR = 20;
  private static final int LABEL = 14;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /// The lines of a frame.
  ///
  /// @param last the last line; empty for none
  List<String> lines(Frame frame, Instant now, String last) {
    List<String> lines = new ArrayList<>();
    head(lines, frame, now);
    times(lines, frame);
    resources(lines, frame);
    loops(lines, frame);
    caches(lines, frame);
    links(lines, frame.links());
    nodes(lines, frame.nodes());
    int most = last.isEmpty() ? height : height - 1;
    List<String> shown = new ArrayList<>(lines.subList(0, Math.min(most, lines.size())));
    if (!last.isEmpty()) {
      shown.add(cut(last));
    }
    return shown;
  }

  // ---- parts

  private void head(List<String> lines, Frame frame, Instant now) {
    MetricOperations.Value build = frame.find("zonda_build_info", "");
    long started = (long) frame.value("process_start_time_seconds", "");
    String version = build == null ? "" : Frame.label(build.labels(), 0);
    String left =
        "zonda %s, up %s"
            .formatted(version, span(Duration.between(Instant.ofEpochSecond(started), now)));
    String clock = TIME.format(now.atZone(zone));
    lines.add(bold(cut(left + " ".repeat(Math.max(2, width - left.length() - 8)) + clock)));
    if (frame.value("zonda_store_ok", "") == 0) {
      lines.add(red(cut("The database does not store: zonda status says why.")));
    }
    add(
        lines,
        "people",
        count(frame.sum("zonda_accounts_online")) + " online",
        count(frame.value("zonda_sessions", "online")) + " sessions",
        count(frame.value("zonda_sessions", "detached")) + " detached",
        count(frame.value("zonda_connections", "")) + " connections",
        number(frame.rate("zonda_logins_total", "succeeded")) + " logins/s");
    add(
        lines,
        "messages",
        number(frame.rate("zonda_stanzas_total", "message")) + "/s",
        number(frame.rate("zonda_messages_total", "delivered")) + " delivered/s",
        number(frame.rate("zonda_messages_total", "stored")) + " stored/s",
        number(frame.rate("zonda_stanzas_rejected_total", "")) + " rejected/s");
    add(
        lines,
        "other",
        number(frame.rate("zonda_stanzas_total", "presence")) + " presence/s",
        number(frame.rate("zonda_stanzas_total", "iq")) + " iq/s",
        bytes(frame.rate("zonda_network_bytes_total", "in")) + "/s in",
        bytes(frame.rate("zonda_network_bytes_total", "out")) + "/s out");
    lines.add("");
  }

  private void times(List<String> lines, Frame frame) {
    lines.add(
        heading("%-14s%10s%10s%10s%10s%10s", "last minute", "per s", "p50", "p99", "p99.9", "max"));
    time(lines, "inside", frame.find("zonda_message_seconds", "inside"));
    for (String each : List.of("edge", "component", "server", "node")) {
      MetricOperations.Value value = frame.find("zonda_message_seconds", each);
      if (value != null && value.value() > 0) {
        time(lines, "to " + each, value);
      }
    }
    time(lines, "acknowledged", frame.find("zonda_message_seconds", "acknowledged"));
    time(lines, "mailbox", frame.find("zonda_mailbox_wait_seconds", ""));
    time(lines, "commit", frame.find("zonda_log_commit_seconds", ""));
    time(lines, "login", frame.find("zonda_login_seconds", ""));
    time(lines, "pauses", frame.find("zonda_gc_pause_seconds", ""));
    lines.add("");
  }

  private void time(List<String> lines, String name, MetricOperations.@Nullable Value value) {
    if (value != null) {
      lines.add(
          cut(
              "%-14s%10s%10s%10s%10s%10s"
                  .formatted(
                      name,
                      number(value.perSecond() == null ? 0 : value.perSecond()),
                      seconds(value.p50()),
                      seconds(value.p99()),
                      seconds(value.p999()),
                      seconds(value.max()))));
    }
  }

  private void resources(List<String> lines, Frame frame) {
    List<String> queues =
        new ArrayList<>(
            List.of(
                count(frame.value("zonda_mailbox_tasks", "")) + " in mailboxes",
                bytes(frame.value("zonda_log_queue_bytes", "")) + " for the log",
                bytes(frame.value("zonda_network_waiting_bytes", "")) + " for clients"));
    if (frame.has("zonda_s2s_queue_bytes")) {
      queues.add(bytes(frame.value("zonda_s2s_queue_bytes", "")) + " for other servers");
    }
    queues.add(bytes(frame.value("zonda_unacknowledged_bytes", "")) + " unacknowledged");
    add(lines, "queues", queues.toArray(String[]::new));
    double used = frame.value("jvm_memory_used_bytes", "heap");
    double most = frame.value("jvm_memory_max_bytes", "heap");
    add(
        lines,
        "heap",
        bar(used, most),
        bytes(used) + " of " + bytes(most),
        bytes(frame.value("process_resident_memory_bytes", "")) + " resident");
    double cpu = frame.rate("process_cpu_seconds_total", "");
    double cores = Math.max(1, frame.value("jvm_available_processors", ""));
    add(
        lines,
        "cpu",
        bar(cpu, cores),
        String.format(Locale.ROOT, "%.0f %% of %s cores", 100 * cpu / cores, count(cores)));
    lines.add("");
  }

  private void caches(List<String> lines, Frame frame) {
    Map<String, MetricOperations.Value> hits = frame.byLabel("zonda_cache_hits_total");
    if (hits.isEmpty()) {
      return;
    }
    Map<String, MetricOperations.Value> misses = frame.byLabel("zonda_cache_load_seconds");
    Map<String, MetricOperations.Value> sizes = frame.byLabel("zonda_cache_bytes");
    Map<String, MetricOperations.Value> bounds = frame.byLabel("zonda_cache_bound_bytes");
    lines.add(heading("%-14s%10s%10s%10s%10s", "cache", "hits", "misses/s", "size", "bound"));
    hits.forEach((name, hit) -> {
      MetricOperations.Value miss = misses.get(name);
      lines.add(
          cut(
              "%-14s%10s%10s%10s%10s"
                  .formatted(
                      TerminalText.oneLine(name),
                      share(hit, miss),
                      number(miss == null || miss.perSecond() == null ? 0 : miss.perSecond()),
                      bytes(valueOf(sizes.get(name))),
                      bytes(valueOf(bounds.get(name))))));
    });
    lines.add("");
  }

  private void loops(List<String> lines, Frame frame) {
    Map<String, MetricOperations.Value> events = frame.byLabel("zonda_loop_events_total");
    if (events.isEmpty()) {
      return;
    }
    Map<String, MetricOperations.Value> busy = frame.byLabel("zonda_loop_busy_seconds_total");
    Map<String, MetricOperations.Value> tasks = frame.byLabel("zonda_loop_tasks");
    Map<String, MetricOperations.Value> longest = frame.byLabel("zonda_loop_longest_turn_seconds");
    lines.add(heading("%-14s%10s%10s%10s%10s", "loop", "events/s", "busy", "tasks", "longest"));
    events.entrySet().stream()
        .limit(MOST_ROWS)
        .forEach(each ->
            lines.add(
                cut(
                    "%-14s%10s%10s%10s%10s"
                        .formatted(
                            each.getKey(),
                            number(rateOf(each.getValue())),
                            String.format(
                                Locale.ROOT, "%.0f %%", 100 * rateOf(busy.get(each.getKey()))),
                            count(valueOf(tasks.get(each.getKey()))),
                            seconds(valueOf(longest.get(each.getKey())))))));
    lines.add("");
  }

  private static double rateOf(MetricOperations.@Nullable Value value) {
    return value == null || value.perSecond() == null ? 0 : value.perSecond();
  }

  private static double valueOf(MetricOperations.@Nullable Value value) {
    return value == null ? 0 : value.value();
  }

  /// The part of the look-ups that were hits: lately, or since the start if there were none lately.
  private static String share(MetricOperations.Value hit, MetricOperations.@Nullable Value miss) {
    Double hits = hit.perSecond();
    Double misses = miss == null ? null : miss.perSecond();
    double recentHits = hits == null ? 0 : hits;
    double recent = recentHits + (misses == null ? 0 : misses);
    double all = hit.value() + valueOf(miss);
    if (all == 0) {
      return "-";
    }
    double part = recent > 0 ? recentHits / recent : hit.value() / all;
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private void links(List<String> lines, List<ServerLink> links) {
    List<ServerLink> most =
        links.stream()
            .filter(each -> each.bytes() > 0 || each.error() != null)
            .sorted(
                Comparator.comparingLong(ServerLink::bytes)
                    .reversed()
                    .thenComparing(ServerLink::remote))
            .limit(MOST_ROWS)
            .toList();
    if (most.isEmpty()) {
      return;
    }
    int wide = Math.max(20, width - 48);
    String format = "%-" + wide + "s%12s%10s%10s  %s";
    lines.add(heading(format, "link", "state", "waiting", "size", "failure"));
    for (ServerLink each : most) {
      String name = TerminalText.oneLine(each.remote());
      lines.add(
          cut(
              format.formatted(
                  name.length() < wide ? name : name.substring(0, wide - 1),
                  each.state(),
                  count(each.waiting()),
                  bytes((double) each.bytes()),
                  each.error() == null ? "" : each.error())));
    }
    lines.add("");
  }

  private void nodes(List<String> lines, List<ClusterOperations.Seen> nodes) {
    if (nodes.isEmpty()) {
      return;
    }
    lines.add(heading("%-30s%10s%10s  %s", "node", "homes", "standby", "state"));
    for (ClusterOperations.Seen each : nodes) {
      String state = each.inSight() ? each.draining() ? "draining" : "member" : "out of sight";
      String line =
          cut(
              "%-30s%10s%10s  %s"
                  .formatted(
                      TerminalText.oneLine(each.node()),
                      count(each.home()),
                      count(each.standby()),
                      state));
      lines.add(each.inSight() ? line : red(line));
    }
    lines.add("");
  }

  // ---- lines

  /// Adds values; those that do not fit go to further lines.
  private void add(List<String> lines, String label, String... values) {
    StringBuilder line = new StringBuilder(label + " ".repeat(LABEL - label.length()));
    boolean first = true;
    for (String each : values) {
      if (!first && line.length() + 3 + each.length() > width) {
        lines.add(cut(line.toString()));
        line = new StringBuilder(" ".repeat(LABEL));
        first = true;
      }
      line.append(first ? "" : "   ").append(each);
      first = false;
    }
    lines.add(cut(line.toString()));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private String heading(String format, Object... values) {
    return bold(cut(format.formatted(values)));
  }

  private String cut(String line) {
    String text = line.stripTrailing();
    return text.length() <= width ? text : text.substring(0, width);
  }

  private String bold(String text) {
    return colours ? Style.on(Style.bold) + text + Style.off(Style.bold) : text;
  }

  private String red(String text) {
    return colours ? Style.on(Style.fg_red) + text + Style.off(Style.fg_red) : text;
  }

  private static String bar(double part, double whole) {
    int full = whole <= 0 ? 0 : Math.clamp(Math.round(BAR * part / whole), 0, BAR);
    return "[" + "|".repeat(full) + " ".repeat(BAR - full) + "]";
  }

  // ---- values

  private static String count(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  private static String number(double value) {
    return value > 0 && value < 9.95 ? String.format(Locale.ROOT, "%.1f", value) : count(value);
  }

  private static String bytes(double value) {
    return ByteCount.text(Math.round(value));
  }

  private static String seconds(@Nullable Double value) {
    if (value == null || value == 0) {
      return "-";
    }
    double millis = value * 1_000;
    return millis < 10
        ? String.format(Locale.ROOT, "%.2f ms", millis)
        : millis < 10_000
            ? String.format(Locale.ROOT, "%,.0f ms", millis)
            : String.format(Locale.ROOT, "%,.0f s", value);
  }

  private static String span(Duration time) {
    Duration shown = time.isNegative() ? Duration.ZERO : time;
    long days = shown.toDays();
    return (days > 0 ? days + " d " : "")
        + String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            shown.toHoursPart(),
            shown.toMinutesPart(),
            shown.toSecondsPart());
  }
}
