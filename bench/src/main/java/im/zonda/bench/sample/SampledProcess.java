package im.zonda.bench.sample;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.DoubleStream;

/// CPU time and memory of a process, or of several that count as one. Not thread-safe.
final class SampledProcess {
  private final ProcFiles files;
  private final String name;
  private final List<Long> roots;
  private final boolean tree;

  /// CPU time of each process in nanoseconds, when it was seen first and last.
  private final Map<Long, Long> first = new HashMap<>();

  private final Map<Long, Long> last = new HashMap<>();
  private final DoubleStream.Builder cpu = DoubleStream.builder();
  private final DoubleStream.Builder resident = DoubleStream.builder();
  private double before;
  private long residentMost;

  /// @param tree whether their children count, too
  SampledProcess(ProcFiles files, String name, List<Long> roots, boolean tree) throws IOException {
    this.files = files;
    this.name = name;
    this.roots = List.copyOf(roots);
    this.tree = tree;
    read();
    first.putAll(last);
    residentMost = residentNow();
  }

  String name() {
    return name;
  }

  /// The name as part of the name of a series.
  String slug() {
    return name.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  long pid() {
    return roots.getFirst();
  }

  private Set<Long> processes() throws IOException {
    Set<Long> all = new HashSet<>();
    for (long root : roots) {
      all.addAll(tree ? files.tree(root) : List.of(root));
    }
    return all;
  }

  /// Processes that have ended keep what they had used at the last reading.
  private void read() throws IOException {
    for (long pid : processes()) {
      OptionalLong nanos = CpuClock.nanos(pid);
      if (nanos.isEmpty()) {
        nanos = files.process(pid).stream().mapToLong(ProcessStat::cpuNanos).findFirst();
      }
      nanos.ifPresent(value -> last.put(pid, value));
    }
  }

  private long residentNow() throws IOException {
    long sum = 0;
    for (long pid : processes()) {
      sum += files.resident(pid, tree);
    }
    return sum;
  }

  private double used() {
    double used = 0;
    for (Map.Entry<Long, Long> each : last.entrySet()) {
      used += each.getValue() - first.getOrDefault(each.getKey(), 0L);
    }
    return used;
  }

  /// Adds a second.
  void sample() throws IOException {
    read();
    double now = used();
    cpu.add(now - before);
    before = now;
    long bytes = residentNow();
    residentMost = Math.max(residentMost, bytes);
    resident.add((double) bytes);
  }

  /// The CPU time since the beginning in nanoseconds. No second is added after this.
  double finish() throws IOException {
    read();
    residentMost = Math.max(residentMost, residentNow());
    return used();
  }

  long residentMost() {
    return residentMost;
  }

  /// Nanoseconds in each second; may be called once.
  DoubleStream cpuBySecond() {
    return cpu.build();
  }

  /// Bytes at the end of each second; may be called once.
  DoubleStream residentBySecond() {
    return resident.build();
  }
}
