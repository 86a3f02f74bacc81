package im.zonda.app.top;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.federation.ServerLink;
import im.zonda.app.metric.MetricOperations.Value;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final Instant NOW = Instant.parse("2026-11-28T19:03:12Z");
  private static final long MIB = 1L << 20;

  private final List<Value> values = new ArrayList<>();

  private void add(String name, String labels, double value, @Nullable Double rate) {
    values.add(new Value(null, name, labels, value, rate, null, null, null, null));
  }

  private void addTimes(String name, String labels, double rate, double unit) {
    values.add(
        new Value(
            null,
            name,
            labels,
            rate == 0 ? 0 : 100,
            rate,
            unit,
            10 * unit,
            100 * unit,
            10_000 * unit));
  }

  private Frame frame() {
    add("zonda_build_info", "version=\"0.1.0\",java=\"25\"", 1, null);
    add("process_start_time_seconds", "", (double) NOW.getEpochSecond() - 97_384, null);
    add("zonda_store_ok", "", 1, null);
    add("zonda_accounts_online", "host=\"a.example\"", 1_200, null);
    add("zonda_accounts_online", "host=\"b.example\"", 34, null);
    add("zonda_sessions", "state=\"online\"", 1_311, null);
    add("zonda_sessions", "state=\"detached\"", 12, null);
    add("zonda_connections", "", 1_320, null);
    add("zonda_logins_total", "outcome=\"succeeded\"", 77, 0.44);
    add("zonda_stanzas_total", "kind=\"message\"", 9_999, 5_012.3);
    add("zonda_messages_total", "outcome=\"delivered\"", 9_999, 5_010.0);
    addTimes("zonda_message_seconds", "stage=\"inside\"", 5_012, 0.0002);
    addTimes("zonda_message_seconds", "stage=\"server\"", 12, 0.01);
    addTimes("zonda_message_seconds", "stage=\"component\"", 0, 0);
    addTimes("zonda_log_commit_seconds", "", 100, 0.001);
    add("zonda_loop_events_total", "loop=\"1\"", 9_999, 2_345.0);
    add("zonda_loop_busy_seconds_total", "loop=\"1\"", 99, 0.42);
    add("zonda_loop_tasks", "loop=\"1\"", 3, null);
    add("zonda_loop_longest_turn_seconds", "loop=\"1\"", 0.0125, null);
    add("zonda_mailbox_tasks", "", 7, null);
    add("zonda_s2s_queue_bytes", "", 20_480, null);
    add("jvm_memory_used_bytes", "area=\"heap\"", 256 * MIB, null);
    add("jvm_memory_max_bytes", "area=\"heap\"", 1_024 * MIB, null);
    add("jvm_available_processors", "", 2, null);
    add("process_cpu_seconds_total", "", 60, 0.5);
    add("zonda_cache_hits_total", "cache=\"vcard\"", 90, 30.0);
    add("zonda_cache_load_seconds", "cache=\"vcard\"", 10, 10.0);
    add("zonda_cache_hits_total", "cache=\"roster\"", 0, 0.0);
    return Frame.of(
        values,
        List.of(
            link("idle.example", 0, null),
            link("small.example", 100, null),
            link("slow.example", 40_960, "timeout")),
        List.of(
            new ClusterOperations.Seen("one-1", 128, 128, false, true),
            new ClusterOperations.Seen("two-1", 128, 128, false, false)));
  }

  private static ServerLink link(String remote, long bytes, @Nullable String error) {
    return new ServerLink(
        null,
        "a.example",
        remote,
        "waiting",
        bytes > 0 ? 3 : 0,
        0,
        bytes,
        null,
        error,
        error,
        null);
  }

  private static List<String> lines(Frame frame, int width, int height, boolean colours) {
    return new Screen(width, height, colours, ZoneOffset.UTC).lines(frame, NOW, "q quit");
  }

  @Test
  void showsAllOfIt() {
    assertThat(String.join("\n", lines(frame(), 80, 60, false)))
        .isEqualTo(
            """
            zonda 0.1.0, up 1 d 3:03:04                                             19:03:12
            people        1,234 online   1,311 sessions   12 detached   1,320 connections
                          0.4 logins/s
            messages      5,012/s   5,010 delivered/s   0 stored/s   0 rejected/s
            other         0 presence/s   0 iq/s   0 B/s in   0 B/s out

            last minute        per s       p50       p99     p99.9       max
            inside             5,012   0.20 ms   2.00 ms     20 ms  2,000 ms
            to server             12     10 ms    100 ms  1,000 ms     100 s
            commit               100   1.00 ms     10 ms    100 ms      10 s

            queues        7 in mailboxes   0 B for the log   0 B for clients
                          20 KiB for other servers   0 B unacknowledged
            heap          [|||||               ]   256 MiB of 1024 MiB   0 B resident
            cpu           [|||||               ]   25 % of 2 cores

            loop            events/s      busy     tasks   longest
            1                  2,345      42 %         3     13 ms

            cache               hits  misses/s      size     bound
            vcard             75.0 %        10       0 B       0 B
            roster                 -         0       0 B       0 B

            link                                   state   waiting      size  failure
            slow.example                         waiting         3    40 KiB  timeout
            small.example                        waiting         3     100 B

            node                               homes   standby  state
            one-1                                128       128  member
            two-1                                128       128  out of sight

            q quit\
            """);
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    Frame frame = frame();
    for (int width = 20; width < 200; width += 7) {
      for (String line : lines(frame, width, 100, false)) {
        assertThat(line.length()).as(line).isLessThanOrEqualTo(width);
      }
    }
  }

  @Test
  void whatDoesNotFitIsLeftOutButTheKeys() {
    assertThat(lines(frame(), 80, 6, false)).hasSize(6).last().isEqualTo("q quit");
    assertThat(lines(frame(), 80, 1, false)).containsExactly("q quit");
  }

  @Test
  void coloursAreEscapesAroundTheSameText() {
    Frame frame = frame();
    List<String> plain = lines(frame, 80, 60, false);
    List<String> coloured = lines(frame, 80, 60, true);
    assertThat(coloured).isNotEqualTo(plain);
    assertThat(coloured.stream().map(each -> each.replaceAll("\u001b\\[[0-9;]*m", "")).toList())
        .isEqualTo(plain);
  }

  @Test
  void aServerThatMeasuresNothingIsShownToo() {
    Frame empty = Frame.of(List.of(), List.of(), List.of());
    assertThat(lines(empty, 80, 60, false))
        .contains("The database does not store: zonda status says why.");
  }

  @Test
  void namesOfOthersDoNotControlTheTerminal() {
    Frame frame = Frame.of(List.of(), List.of(link("a\u001b[2Jb.example", 5, null)), List.of());
    assertThat(String.join("\n", lines(frame, 80, 60, false))).doesNotContain("\u001b");
  }
}
