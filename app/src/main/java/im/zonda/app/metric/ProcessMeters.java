package im.zonda.app.metric;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import im.zonda.metric.Sample;
import im.zonda.metric.Timing;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.slf4j.LoggerFactory;

/// Meters of the process and of the Java virtual machine, under the names that other Java programs
/// have for them, so that what shows those shows this one.
final class ProcessMeters {
  private static final Path PAGES = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4_096;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private static final Label AREA = Label.of("area", "heap", "nonheap");
  private static final Label POOL = Label.of("pool");

  private static final Meter CPU =
      Meter.counter("process_cpu_seconds_total", "CPU time of the process, in seconds");
  private static final Meter STARTED =
      Meter.gauge("process_start_time_seconds", "Start of the process, in seconds since 1970");
  private static final Meter RESIDENT =
      Meter.gauge("process_resident_memory_bytes", "Memory of the process, in bytes (Linux)");
  private static final Meter OPEN_FILES =
      Meter.gauge("process_open_fds", "Open files and sockets of the process");
  private static final Meter MOST_FILES =
      Meter.gauge("process_max_fds", "Most open files and sockets of the process");
  private static final Meter MEMORY_USED =
      Meter.gauge("jvm_memory_used_bytes", "Memory in use, garbage included, in bytes", AREA);
  private static final Meter MEMORY_COMMITTED =
      Meter.gauge("jvm_memory_committed_bytes", "Memory taken from the system, in bytes", AREA);
  private static final Meter MEMORY_MAX =
      Meter.gauge("jvm_memory_max_bytes", "Most memory, in bytes; -1 without a bound", AREA);
  private static final Meter ALLOCATED =
      Meter.counter(
          "jvm_memory_allocated_bytes_total", "Memory of the heap that was allocated, in bytes");
  private static final Meter BUFFERS =
      Meter.gauge("jvm_buffer_pool_used_bytes", "Memory of buffers outside the heap", POOL);
  private static final Meter COLLECTIONS =
      Meter.summary("jvm_gc_collection_seconds", "Work of the garbage collectors", Label.of("gc"));
  private static final Meter THREADS =
      Meter.gauge("jvm_threads_current", "Threads of the operating system");
  private static final Meter PROCESSORS =
      Meter.gauge("jvm_available_processors", "Processors that the process may use");
  private static final Meter PAUSES =
      Meter.timing("zonda_gc_pause_seconds", "Pauses of the process for garbage collection");

  /// The definitions.
  static final List<Meter> ALL =
      List.of(
          CPU,
          STARTED,
          RESIDENT,
          OPEN_FILES,
          MOST_FILES,
          MEMORY_USED,
          MEMORY_COMMITTED,
          MEMORY_MAX,
          ALLOCATED,
          BUFFERS,
          COLLECTIONS,
          THREADS,
          PROCESSORS,
          PAUSES);

  private ProcessMeters() {}

  /// The readings of this process.
  ///
  /// @param pauses of the garbage collectors
  static List<Reading> readings(Timing pauses) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long started = ManagementFactory.getRuntimeMXBean().getStartTime();
    return List.of(
        CPU.by(() -> system.getProcessCpuTime() / NANOS),
        STARTED.by(() -> started / MILLIS),
        RESIDENT.byEach(ProcessMeters::resident),
        OPEN_FILES.byEach(() ->
            system instanceof UnixOperatingSystemMXBean unix
                ? List.of(Sample.of(unix.getOpenFileDescriptorCount()))
                : List.of()),
        MOST_FILES.byEach(() ->
            system instanceof UnixOperatingSystemMXBean unix
                ? List.of(Sample.of(unix.getMaxFileDescriptorCount()))
                : List.of()),
        MEMORY_USED.byEach(() -> memory(MemoryUsage::getUsed)),
        MEMORY_COMMITTED.byEach(() -> memory(MemoryUsage::getCommitted)),
        MEMORY_MAX.byEach(() -> memory(MemoryUsage::getMax)),
        ALLOCATED.byEach(ProcessMeters::allocated),
        BUFFERS.byEach(ProcessMeters::buffers),
        COLLECTIONS.byEach(ProcessMeters::collections),
        THREADS.by(() -> ManagementFactory.getThreadMXBean().getThreadCount()),
        PROCESSORS.by(() -> Runtime.getRuntime().availableProcessors()),
        PAUSES.by(pauses));
  }

  private static List<Sample> resident() {
    try {
      String[] pages = Files.readString(PAGES).split(" ", -1);
      return List.of(Sample.of(Long.parseLong(pages[1]) * PAGE_BYTES));
    } catch (IOException e) {
      // Another system than Linux.
      LoggerFactory.getLogger(ProcessMeters.class).atTrace().setCause(e).log("memory_not_read");
      return List.of();
    }
  }

  private static List<Sample> memory(ToLongFunction<MemoryUsage> what) {
    var memory = ManagementFactory.getMemoryMXBean();
    return List.of(
        Sample.of(what.applyAsLong(memory.getHeapMemoryUsage()), "heap"),
        Sample.of(what.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap"));
  }

  private static List<Sample> allocated() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            && threads.isThreadAllocatedMemoryEnabled()
        ? List.of(Sample.of(threads.getTotalThreadAllocatedBytes()))
        : List.of();
  }

  private static List<Sample> buffers() {
    List<Sample> samples = new ArrayList<>();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      samples.add(Sample.of(pool.getMemoryUsed(), pool.getName()));
    }
    return samples;
  }

  private static List<Sample> collections() {
    List<Sample> samples = new ArrayList<>();
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      samples.add(
          new Sample.Sum(
              List.of(collector.getName()),
              Math.max(0, collector.getCollectionCount()),
              Math.max(0, collector.getCollectionTime()) / MILLIS));
    }
    return samples;
  }
}
