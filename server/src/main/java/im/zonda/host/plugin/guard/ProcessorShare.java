package im.zonda.host.plugin.guard;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/// The share of a processor that the threads of a plugin have taken lately. Not thread-safe.
final class ProcessorShare {
  private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
  private Map<Long, Long> before = new HashMap<>();
  private long measured = System.nanoTime();

  /// The share since the last call: 1 is one processor all the time.
  ///
  /// @param threads the identifiers of the threads at present
  double since(long[] threads) {
    long now = System.nanoTime();
    Map<Long, Long> times = new HashMap<>();
    long used = 0;
    for (long each : threads) {
      long time = bean.getThreadCpuTime(each);
      if (time >= 0) {
        times.put(each, time);
        used += time - before.getOrDefault(each, 0L);
      }
    }
    long passed = Math.max(1, now - measured);
    before = times;
    measured = now;
    return (double) used / passed;
  }
}
