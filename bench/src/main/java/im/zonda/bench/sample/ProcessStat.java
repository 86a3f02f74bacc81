package im.zonda.bench.sample;

/// Parent, CPU time and page faults of a process, from `/proc/PID/stat` (proc(5)).
///
/// @param pid its number
/// @param parent the number of its parent
/// @param cpuNanos user and system time, also of threads that have ended; a multiple of 10 ms
/// @param faults page faults since it started, with and without reading from a disk
record ProcessStat(long pid, long parent, long cpuNanos, long faults) {
  /// Ticks of the kernel are hundredths of a second to programs, on each architecture.
  private static final long TICK_NANOS = 10_000_000;

  /// Places of fields behind the name.
  private static final int PARENT = 1;

  private static final int MINOR_FAULTS = 7;
  private static final int MAJOR_FAULTS = 9;
  private static final int USER = 11;
  private static final int SYSTEM = 12;

  /// Parses the line. The name is in parentheses, and may have some itself.
  static ProcessStat parse(String line) {
    int end = line.lastIndexOf(')');
    String[] fields = line.substring(end + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]);
    return new ProcessStat(
        Long.parseLong(line.substring(0, line.indexOf(' '))),
        Long.parseLong(fields[PARENT]),
        ticks * TICK_NANOS,
        Long.parseLong(fields[MINOR_FAULTS]) + Long.parseLong(fields[MAJOR_FAULTS]));
  }
}
