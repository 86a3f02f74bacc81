package im.zonda.bench.run;

import im.zonda.bench.load.RecordedLatencies;
import im.zonda.bench.result.HistogramText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// The merged measurements of the processes of a run. Confined to one thread.
final class Measurements {
  /// What one second has brought.
  ///
  /// @param latencies the histograms of each process, by tag, as text: a histogram in memory is
  ///   much larger
  /// @param counters events by name
  record Second(Map<String, List<String>> latencies, Map<String, Long> counters) {
    /// The times of a tag; empty if there were none.
    Histogram histogram(String tag) {
      Histogram merged = RecordedLatencies.empty();
      latencies
          .getOrDefault(tag, List.of())
          .forEach(text -> merged.add(HistogramText.histogram(text)));
      return merged;
    }
  }

  private final List<Second> seconds = new ArrayList<>();
  private final Map<String, Histogram> latencies = new TreeMap<>();
  private final Map<String, Long> counters = new TreeMap<>();
  private final Map<String, Long> totals = new TreeMap<>();
  private final Map<String, Long> problems = new LinkedHashMap<>();
  private final Map<String, Map<Integer, RecordedLatencies.Last>> lasts = new TreeMap<>();
  private long cpuMicros;

  /// Adds what a process says of a second. A second before 0 is what came after the measured part
  /// and was due in it.
  void addSecond(Line line) {
    Second second = line.whole("at") < 0 ? null : second((int) line.whole("at"));
    line.map("latencies")
        .forEach((tag, text) -> {
          latencies
              .computeIfAbsent(tag, _ -> RecordedLatencies.empty())
              .add(HistogramText.histogram(text.toString()));
          if (second != null) {
            second.latencies.computeIfAbsent(tag, _ -> new ArrayList<>()).add(text.toString());
          }
        });
    line.map("lasts").forEach(this::addLasts);
    if (second != null) {
      add(line, "counters", second.counters);
    }
  }

  private void addLasts(String tag, Object numbers) {
    if (numbers instanceof List<?> list) {
      Map<Integer, RecordedLatencies.Last> parts = lasts.computeIfAbsent(tag, _ -> new HashMap<>());
      for (int i = 0; i + 2 < list.size(); i += 3) {
        if (list.get(i) instanceof Number key
            && list.get(i + 1) instanceof Number due
            && list.get(i + 2) instanceof Number micros) {
          parts.merge(
              key.intValue(),
              new RecordedLatencies.Last(due.longValue(), micros.longValue()),
              RecordedLatencies.Last::later);
        }
      }
    }
  }

  /// Makes times of the last parts that all processes have told, once they have ended: in the
  /// second in which something was due.
  ///
  /// @param begin of the measured part, by [System#nanoTime]
  void endLasts(long begin) {
    lasts.forEach((tag, parts) -> {
      Histogram all = latencies.computeIfAbsent(tag, _ -> RecordedLatencies.empty());
      Map<Integer, Histogram> bySecond = new TreeMap<>();
      parts
          .values()
          .forEach(last -> {
            all.recordValue(last.micros());
            int at = (int) ((last.due() - begin) / 1_000_000_000L);
            bySecond.computeIfAbsent(at, _ -> RecordedLatencies.empty()).recordValue(last.micros());
          });
      bySecond.forEach((at, histogram) -> {
        if (at >= 0 && at < seconds.size()) {
          second(at)
              .latencies
              .computeIfAbsent(tag, _ -> new ArrayList<>())
              .add(HistogramText.of(histogram));
        }
      });
    });
    lasts.clear();
  }

  private Second second(int at) {
    while (seconds.size() <= at) {
      seconds.add(new Second(new TreeMap<>(), new TreeMap<>()));
    }
    return seconds.get(at);
  }

  /// Adds what a process says at its end.
  void addEnd(Line line) {
    if (line.kind().equals(Line.DONE)) {
      add(line, "totals", totals);
      add(line, "measured", counters);
      cpuMicros += line.whole("cpu");
    }
    add(line, "problems", problems);
  }

  private static void add(Line line, String name, Map<String, Long> sums) {
    line.map(name)
        .forEach((key, value) -> {
          if (value instanceof Number number) {
            sums.merge(key, number.longValue(), Long::sum);
          }
        });
  }

  /// The seconds of the measured part; the last one may be shorter.
  List<Second> seconds() {
    return seconds;
  }

  /// Times in microseconds by tag, of all that was due in the measured part.
  Map<String, Histogram> latencies() {
    return latencies;
  }

  /// Events in the measured part, by name.
  Map<String, Long> counters() {
    return counters;
  }

  /// Events in the whole run, by name.
  Map<String, Long> totals() {
    return totals;
  }

  /// Problems with how often they occurred.
  Map<String, Long> problems() {
    return problems;
  }

  /// The CPU time of the generator in the measured part, in microseconds.
  long cpuMicros() {
    return cpuMicros;
  }
}
