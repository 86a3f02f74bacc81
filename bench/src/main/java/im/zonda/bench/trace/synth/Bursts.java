package im.zonda.bench.trace.synth;

import im.zonda.bench.trace.TraceRandom;
import java.util.ArrayList;
import java.util.List;

/// When a room is lively. A clock of the room runs faster in bursts, slower else, and with the mean
/// speed 1: players whose gaps are on that clock speak together.
final class Bursts {
  private static final double QUIET =
      1 / (1 + (Arena.BURST_RATE - 1) * Arena.BURST_SECONDS / Arena.BURST_EVERY);

  private final double[] real;
  private final double[] clock;

  /// @param seconds the length of the trace
  Bursts(TraceRandom random, double seconds) {
    List<Double> times = new ArrayList<>(List.of(0.0));
    for (double now = nextBegin(random); now < seconds; now += nextBegin(random)) {
      times.add(now);
      now += Arena.BURST_SECONDS;
      times.add(now);
    }
    real = times.stream().mapToDouble(Double::doubleValue).toArray();
    clock = new double[real.length];
    for (int i = 1; i < real.length; i++) {
      clock[i] = clock[i - 1] + (real[i] - real[i - 1]) * speed(i - 1);
    }
  }

  private static double nextBegin(TraceRandom random) {
    return random.exponential(Arena.BURST_EVERY - Arena.BURST_SECONDS);
  }

  private static double speed(int part) {
    return part % 2 == 0 ? QUIET : QUIET * Arena.BURST_RATE;
  }

  /// The time when the clock of the room shows another; both in seconds from the beginning.
  double realTime(double shown) {
    int low = 0;
    int high = clock.length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (clock[middle] <= shown) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return real[low] + (shown - clock[low]) / speed(low);
  }
}
