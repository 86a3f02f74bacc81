package im.zonda.bench.sample;

import java.util.Arrays;

/// CPU time of all processors together, from the first line of `/proc/stat` (proc(5)).
///
/// @param busyNanos time in which they worked, without what the host of a virtual machine took
/// @param stolenNanos time that the host of a virtual machine took
record MachineStat(long busyNanos, long stolenNanos) {
  private static final long TICK_NANOS = 10_000_000;
  private static final int IDLE = 3;
  private static final int WAITING = 4;
  private static final int STOLEN = 7;

  /// Parses the file. Time of guests is in that of users already.
  ///
  /// @throws IllegalArgumentException if the file has another form
  static MachineStat parse(String text) {
    String line = text.lines().findFirst().orElse("");
    if (!line.startsWith("cpu ")) {
      throw new IllegalArgumentException("/proc/stat begins with \"" + line + "\"");
    }
    long[] ticks =
        Arrays.stream(line.substring(4).strip().split(" +", -1))
            .mapToLong(Long::parseLong)
            .toArray();
    long busy = 0;
    for (int i = 0; i < STOLEN; i++) {
      busy += i == IDLE || i == WAITING ? 0 : ticks[i];
    }
    return new MachineStat(busy * TICK_NANOS, ticks[STOLEN] * TICK_NANOS);
  }

  /// The difference to an earlier reading.
  MachineStat since(MachineStat before) {
    return new MachineStat(busyNanos - before.busyNanos, stolenNanos - before.stolenNanos);
  }
}
