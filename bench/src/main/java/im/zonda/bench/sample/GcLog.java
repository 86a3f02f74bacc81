package im.zonda.bench.sample;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Pauses and live heap of a Java server, from the log that a server is started with by the bench.
///
/// @param pauses the pauses of all threads for any reason, in the order of their ends
/// @param collections the collections after which the log says how much of the heap is in use
public record GcLog(List<Pause> pauses, List<Collection> collections) {
  private static final Pattern TIME = Pattern.compile("\\[(\\d+)ns]");
  private static final Pattern SAFEPOINT =
      Pattern.compile("Safepoint \"(.*?)\".*\\bTotal: *(\\d+) ns");
  private static final Pattern HEAP =
      Pattern.compile("GC\\(\\d+\\) (.*?) \\d+M(?:\\(\\d+%\\))?->(\\d+)M\\(");

  private static final double SECOND = 1e9;
  private static final double MILLI = 1e6;

  /// A pause of all threads.
  ///
  /// @param endNanos when it ended, by [System#nanoTime], which all virtual machines of a Linux
  ///   machine share
  /// @param nanos its length, from when threads were asked to stop
  /// @param reason as the virtual machine names it
  public record Pause(long endNanos, long nanos, String reason) {}

  /// A collection.
  ///
  /// @param endNanos when it ended
  /// @param kind as the virtual machine names it
  /// @param liveMebibytes the heap in use after it
  public record Collection(long endNanos, String kind, int liveMebibytes) {}

  /// Copies the lists.
  public GcLog {
    pauses = List.copyOf(pauses);
    collections = List.copyOf(collections);
  }

  /// Reads a file. Lines of other kinds, and one that is cut off at the end, are ignored.
  public static GcLog read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return parse(lines);
    }
  }

  static GcLog parse(Stream<String> lines) {
    List<Pause> pauses = new ArrayList<>();
    List<Collection> collections = new ArrayList<>();
    lines.forEach(line -> {
      Matcher time = TIME.matcher(line);
      if (!time.find()) {
        return;
      }
      long end = Long.parseLong(time.group(1));
      Matcher pause = SAFEPOINT.matcher(line);
      Matcher heap = HEAP.matcher(line);
      if (pause.find()) {
        pauses.add(new Pause(end, Long.parseLong(pause.group(2)), pause.group(1)));
      } else if (heap.find()) {
        collections.add(new Collection(end, heap.group(1), Integer.parseInt(heap.group(2))));
      }
    });
    return new GcLog(pauses, collections);
  }

  /// The pauses within some time as marks.
  ///
  /// @param beginNanos the beginning of the measured part
  /// @param endNanos its end
  /// @param leastMillis shorter pauses are left out, of which there may be many a second
  public List<Result.Mark> marks(long beginNanos, long endNanos, double leastMillis) {
    return pauses.stream()
        .filter(pause -> pause.endNanos - beginNanos > 0 && pause.endNanos - endNanos <= 0)
        .filter(pause -> pause.nanos / MILLI >= leastMillis)
        .map(pause ->
            new Result.Mark(
                (pause.endNanos - beginNanos) / SECOND, pause.nanos / MILLI, pause.reason))
        .toList();
  }

  /// The heap in use after the last collection of each second, in MiB; NaN where there was none.
  ///
  /// @param beginNanos the beginning of the measured part
  /// @param seconds its length
  public Result.Series liveHeap(long beginNanos, int seconds) {
    double[] values = new double[seconds];
    Arrays.fill(values, Double.NaN);
    for (Collection each : collections) {
      long second = Math.floorDiv(each.endNanos - beginNanos, (long) SECOND);
      if (second >= 0 && second < seconds) {
        values[(int) second] = each.liveMebibytes;
      }
    }
    return new Result.Series("heap-live", "live heap after collections", "MiB", "memory", values);
  }
}
