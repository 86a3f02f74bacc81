package im.zonda.app.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/// What a server could lose over time, measured after a garbage collection.
///
/// @param heap bytes of the heap in use
/// @param direct bytes of direct buffers
/// @param threads platform threads
/// @param files open file descriptors
record Vitals(long heap, long direct, int threads, long files) {
  static Vitals measure() {
    // Twice: what the first collection finds unreachable may hold more until its cleaners have run.
    System.gc();
    System.gc();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    return new Vitals(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        direct,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        files);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "heap %.1f MB, direct %.1f MB, threads %d, files %d",
        heap / 1e6,
        direct / 1e6,
        threads,
        files);
  }
}
