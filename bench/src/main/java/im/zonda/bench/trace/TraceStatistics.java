package im.zonda.bench.trace;

import im.zonda.bench.trace.Trace.Message;
import im.zonda.bench.trace.Trace.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/// Numbers that describe a trace.
///
/// @param sizes the most players of each room at a time, the largest first
/// @param online players who are connected, at the begin of each second
/// @param messages messages of each second, to rooms and players
/// @param copies received copies of the messages of each second
/// @param gaps milliseconds between messages of one player, sorted
/// @param lengths bytes of messages, sorted
/// @param counts single numbers by stable name
@SuppressWarnings("ArrayRecordComponent") // as large as the trace, and never compared
public record TraceStatistics(
    int[] sizes,
    int[] online,
    int[] messages,
    long[] copies,
    long[] gaps,
    int[] lengths,
    SequencedMap<String, Double> counts) {
  /// Describes a trace.
  public static TraceStatistics of(Trace trace) {
    int seconds = (int) ((trace.millis() + 999) / 1_000);
    Occupancy occupancy = new Occupancy(trace);
    int[] messages = new int[seconds];
    long[] copies = new long[seconds];
    int[] said = new int[trace.players().size()];
    int[] lengths = new int[trace.messages().size()];
    Map<Integer, Long> before = new HashMap<>();
    List<Long> gaps = new ArrayList<>();
    long direct = 0;
    for (int i = 0; i < lengths.length; i++) {
      Message message = trace.messages().get(i);
      int second = (int) (message.millis() / 1_000);
      messages[second]++;
      copies[second] += occupancy.copies(message);
      lengths[i] = message.bytes();
      said[message.player()]++;
      direct += message.direct() ? 1 : 0;
      Long last = before.put(message.player(), message.millis());
      if (last != null) {
        gaps.add(message.millis() - last);
      }
    }
    Arrays.sort(lengths);
    Collections.sort(gaps);
    int[] sizes = Arrays.stream(occupancy.peaks()).sorted().toArray();
    reverse(sizes);
    TraceStatistics all =
        new TraceStatistics(
            sizes,
            online(trace, seconds),
            messages,
            copies,
            gaps.stream().mapToLong(Long::longValue).toArray(),
            lengths,
            new LinkedHashMap<>());
    all.count(trace, said, direct);
    return all;
  }

  private static void reverse(int[] values) {
    for (int i = 0; i < values.length / 2; i++) {
      int other = values[values.length - 1 - i];
      values[values.length - 1 - i] = values[i];
      values[i] = other;
    }
  }

  private static int[] online(Trace trace, int seconds) {
    int[] online = new int[seconds + 1];
    for (Session session : trace.sessions()) {
      // At the begin of a second: from rounds up, and until too.
      online[(int) Math.min(seconds, (session.from() + 999) / 1_000)]++;
      online[(int) Math.min(seconds, (session.until() + 999) / 1_000)]--;
    }
    Arrays.parallelPrefix(online, Integer::sum);
    return Arrays.copyOf(online, seconds);
  }

  private void count(Trace trace, int[] said, long direct) {
    double seconds = trace.millis() / 1e3;
    long all = Arrays.stream(messages).sum();
    long received = Arrays.stream(copies).sum();
    counts.put("seconds", seconds);
    counts.put("players", (double) trace.players().size());
    counts.put("players-online-most", (double) Arrays.stream(online).max().orElse(0));
    counts.put("rooms", (double) trace.rooms().size());
    counts.put("largest-room", (double) Arrays.stream(sizes).max().orElse(0));
    counts.put("logins", (double) trace.sessions().stream().filter(s -> s.from() > 0).count());
    counts.put("joins", (double) trace.stays().stream().filter(s -> s.from() > 0).count());
    counts.put("messages", (double) all);
    counts.put("direct-messages", (double) direct);
    counts.put("messages-per-second", all / seconds);
    counts.put("messages-in-busiest-second", (double) Arrays.stream(messages).max().orElse(0));
    counts.put("copies-per-second", received / seconds);
    counts.put("copies-in-busiest-second", (double) Arrays.stream(copies).max().orElse(0));
    counts.put("copies-per-message", (double) received / Math.max(1, all));
    counts.put("gap-median-seconds", quantile(gaps, 0.5) / 1e3);
    counts.put("gap-p90-seconds", quantile(gaps, 0.9) / 1e3);
    long[] bytes = Arrays.stream(lengths).asLongStream().toArray();
    counts.put("length-median", (double) quantile(bytes, 0.5));
    counts.put("length-p90", (double) quantile(bytes, 0.9));
    counts.put("length-p99", (double) quantile(bytes, 0.99));
    int[] speakers = Arrays.stream(said).filter(count -> count > 0).sorted().toArray();
    int tenth = speakers.length - speakers.length / 10;
    long most = Arrays.stream(speakers).skip(tenth).sum();
    counts.put("speakers", (double) speakers.length);
    counts.put("share-of-top-tenth", (double) most / Math.max(1, all));
  }

  /// The value that a share of sorted values does not pass; 0 of none.
  static long quantile(long[] sorted, double share) {
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.min(sorted.length - 1, (long) (share * sorted.length))];
  }

  /// A number by its name.
  ///
  /// @throws IllegalArgumentException if there is none
  public double count(String name) {
    Double value = counts.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no number " + name);
    }
    return value;
  }

  /// The numbers for people, one a line.
  public String text() {
    StringBuilder text = new StringBuilder();
    counts.forEach((name, value) -> {
      String form = value == Math.rint(value) ? "%,.0f" : "%,.2f";
      text.append(
          String.format(
              Locale.ROOT,
              "%-28s %s%n",
              name.replace('-', ' '),
              String.format(Locale.ROOT, form, value)));
    });
    return text.append(String.format(Locale.ROOT, "%-28s %s%n", "sizes of rooms", sizesText()))
        .toString();
  }

  private String sizesText() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(20, sizes.length); i++) {
      text.append(i == 0 ? "" : " ").append(sizes[i]);
    }
    return text.append(sizes.length > 20 ? " …" : "").toString();
  }
}
