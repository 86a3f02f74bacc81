package im.zonda.bench.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The figures that Tsung writes every ten seconds: counts, and means of times.
///
/// @param samples times by name, such as `tr_login`
/// @param counts totals by name, such as `error_connect_timeout`
public record TsungLog(Map<String, Sample> samples, Map<String, Long> counts) {
  private static final String LINE = "stats: ";
  private static final List<String> OF_CLIENTS = List.of("users", "connected");

  /// A time that was measured.
  ///
  /// @param count how often
  /// @param mean in milliseconds
  /// @param most the longest, in milliseconds
  public record Sample(long count, double mean, double most) {
    private Sample plus(Sample other) {
      long all = count + other.count;
      double sum = mean * count + other.mean * other.count;
      return new Sample(all, all == 0 ? 0 : sum / all, Math.max(most, other.most));
    }
  }

  /// Copies the maps.
  public TsungLog {
    samples = Map.copyOf(samples);
    counts = Map.copyOf(counts);
  }

  /// Reads the lines of the file `tsung.log`.
  ///
  /// @throws IllegalArgumentException if a line is none of Tsung's
  public static TsungLog parse(List<String> lines) {
    Map<String, Sample> samples = new TreeMap<>();
    Map<String, Long> counts = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (!line.startsWith(LINE) || words.length < 4 || words[1].startsWith("{")) {
        continue; // dates, the network and memory of the clients
      }
      if (words.length >= 8) {
        // name, count, mean, deviation, longest, shortest, and mean and count of the time before
        long count = (long) number(words[2], line);
        if (count > 0) {
          Sample part = new Sample(count, number(words[3], line), number(words[5], line));
          samples.merge(words[1], part, Sample::plus);
        }
      } else if (!OF_CLIENTS.contains(words[1])) {
        counts.put(words[1], (long) number(words[3], line)); // the second number is the total
      }
    }
    return new TsungLog(samples, counts);
  }

  private static double number(String word, String line) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a line of Tsung: " + line, e);
    }
  }

  /// Everything that went wrong, in words; empty if nothing did. Tsung itself ends well whatever
  /// its counters of errors say.
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    counts.forEach((name, count) -> {
      if (count > 0 && (name.startsWith("error") || name.equals("nomatch"))) {
        faults.add(name + ": " + count);
      }
    });
    faults.sort(String::compareTo);
    return faults;
  }

  /// A total; 0 if there is none.
  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }
}
