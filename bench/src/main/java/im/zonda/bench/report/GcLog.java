package im.zonda.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The pauses of a Java server, from the log that it writes with
/// `-Xlog:gc,safepoint:file=FILE:timemillis`.
final class GcLog {
  /// Pauses of all threads for any reason, including collections.
  private static final Pattern SAFEPOINT =
      Pattern.compile("\\[(\\d+)ms] Safepoint \"(.*?)\".*\\bTotal: *(\\d+) ns.*");

  private static final Pattern HEAP_AFTER =
      Pattern.compile("\\[(\\d+)ms] GC\\(\\d+\\) (Pause .*?) (\\d+)M->(\\d+)M\\((\\d+)M\\) .*");

  /// A pause of all threads.
  ///
  /// @param millis when it ended, since 1970
  /// @param reason the reason as logged by the virtual machine
  /// @param length in milliseconds
  record Pause(long millis, String reason, double length) {}

  /// A collection.
  ///
  /// @param millis when it ended, since 1970
  /// @param kind the kind as logged by the virtual machine
  /// @param before mebibytes of heap in use before
  /// @param after mebibytes of heap in use after
  record Collection(long millis, String kind, int before, int after) {}

  private final List<Pause> pauses = new ArrayList<>();
  private final List<Collection> collections = new ArrayList<>();

  /// Parses a log; ignores other lines.
  GcLog(List<String> lines) {
    for (String line : lines) {
      Matcher pause = SAFEPOINT.matcher(line);
      Matcher heap = HEAP_AFTER.matcher(line);
      if (pause.matches()) {
        double length = Long.parseLong(pause.group(3)) / 1e6;
        pauses.add(new Pause(Long.parseLong(pause.group(1)), pause.group(2), length));
      } else if (heap.matches()) {
        collections.add(
            new Collection(
                Long.parseLong(heap.group(1)),
                heap.group(2),
                Integer.parseInt(heap.group(3)),
                Integer.parseInt(heap.group(4))));
      }
    }
  }

  /// Reads a file.
  static GcLog read(Path file) throws IOException {
    return new GcLog(Files.readAllLines(file));
  }

  /// The pauses that ended within that time.
  List<Pause> pauses(long fromMillis, long untilMillis) {
    return pauses.stream()
        .filter(p -> p.millis() > fromMillis && p.millis() <= untilMillis)
        .toList();
  }

  /// The collections that ended within that time.
  List<Collection> collections(long fromMillis, long untilMillis) {
    return collections.stream()
        .filter(c -> c.millis() > fromMillis && c.millis() <= untilMillis)
        .toList();
  }
}
