package im.zonda.profile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// CPU time of the threads of a process so far, by the numbers of the threads. Known on Linux only.
///
/// @param threads the kinds and times, in ticks of the kernel
public record ThreadTimes(Map<String, Time> threads) {
  /// Ticks of the kernel are hundredths of a second to programs, on each architecture.
  private static final long TICK_NANOS = 10_000_000;

  /// User time, and system time after it, counted from the state behind the name (proc(5)).
  private static final int USER = 11;

  /// A thread.
  record Time(ThreadKind kind, long ticks) {}

  /// Copies the map.
  public ThreadTimes {
    threads = Map.copyOf(threads);
  }

  /// Reads those of this process; none where the kernel does not say them.
  public static ThreadTimes read() {
    return read(Path.of("/proc/self/task"));
  }

  /// Reads those of a process; none if it has ended.
  ///
  /// @param tasks the folder `/proc/PID/task`
  public static ThreadTimes read(Path tasks) {
    Map<String, Time> threads = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path each : all) {
        try {
          String stat = Files.readString(each.resolve("stat"), StandardCharsets.ISO_8859_1);
          threads.put(String.valueOf(each.getFileName()), time(stat));
        } catch (IOException e) {
          // The thread has ended, perhaps between opening and reading.
        }
      }
    } catch (IOException e) {
      return new ThreadTimes(Map.of()); // another kernel; the profile says what is missing
    }
    return new ThreadTimes(threads);
  }

  /// The name is in parentheses, and may have some itself.
  private static Time time(String stat) {
    int end = stat.lastIndexOf(')');
    String[] fields = stat.substring(end + 2).split(" ", -1);
    return new Time(
        ThreadKind.of(stat.substring(stat.indexOf('(') + 1, end)),
        Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]));
  }

  /// What each kind has taken since `before`, in ns.
  public Map<ThreadKind, Long> since(ThreadTimes before) {
    Map<ThreadKind, Long> taken = new EnumMap<>(ThreadKind.class);
    threads.forEach((number, now) -> {
      Time then = before.threads.get(number);
      long ticks = now.ticks() - (then == null ? 0 : then.ticks());
      taken.merge(now.kind(), Math.max(0, ticks) * TICK_NANOS, Long::sum);
    });
    return taken;
  }
}
