package im.zonda.bench.sample;

import im.zonda.bench.load.Outcome;
import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target.TargetProcess;
import im.zonda.profile.ThreadKind;
import im.zonda.profile.ThreadTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Reads each second what processes have used. One thread, which ends with [#stop].
public final class Sampler implements AutoCloseable {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;
  private static final double PERCENT = 100;
  private static final double MEBIBYTE = 1 << 20;

  /// An hour; a longer run keeps its first hour by second.
  private static final int MOST_SECONDS = 3_600;

  private final ProcFiles files;
  private final List<SampledProcess> targets = new ArrayList<>();
  private final SampledProcess generator;
  private final @Nullable MachineStat machine;
  private final ThreadTimes threads;
  private final long begin;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable IOException failure;

  /// Begins at once.
  ///
  /// @param processes the processes of the target; those of which the name begins with `database`
  ///   with all their children
  /// @param generator the numbers of the processes that make the load
  /// @throws IOException if the kernel does not say what it should
  public Sampler(List<TargetProcess> processes, List<Long> generator) throws IOException {
    this(ProcFiles.ofMachine(), processes, generator);
  }

  Sampler(ProcFiles files, List<TargetProcess> processes, List<Long> generator) throws IOException {
    this.files = files;
    boolean known = files.exist();
    for (TargetProcess each : known ? processes : List.<TargetProcess>of()) {
      boolean tree = each.name().startsWith("database");
      targets.add(new SampledProcess(files, each.name(), List.of(each.pid()), tree));
    }
    this.generator = new SampledProcess(files, "generator", known ? generator : List.of(), false);
    machine = known ? files.machine() : null;
    threads =
        targets.isEmpty() || !files.isJava(processes.getFirst().pid())
            ? new ThreadTimes(Map.of())
            : files.threads(processes.getFirst().pid());
    begin = System.nanoTime();
    thread = Thread.ofPlatform().name("sampler").daemon().start(this::work);
  }

  private void work() {
    try {
      for (int second = 1; second <= MOST_SECONDS; second++) {
        long due = begin + second * SECOND;
        while (!stopped && due - System.nanoTime() > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        if (stopped) {
          return;
        }
        for (SampledProcess each : targets) {
          each.sample();
        }
        generator.sample();
      }
    } catch (IOException e) {
      failure = e;
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    }
  }

  /// Ends sampling.
  ///
  /// @throws IOException if something could not be read
  public Samples stop() throws IOException {
    long end = System.nanoTime();
    join();
    IOException failed = failure;
    if (failed != null) {
      throw new IOException("what the processes use could not be read", failed);
    }
    double seconds = (end - begin) / NANOS;
    List<Outcome.ProcessUse> uses = new ArrayList<>();
    List<Result.Series> series = new ArrayList<>();
    double used = generator.finish();
    double targetNanos = 0;
    for (SampledProcess each : targets) {
      double nanos = each.finish();
      targetNanos += nanos;
      uses.add(new Outcome.ProcessUse(each.name(), nanos / MICROS, each.residentMost()));
      series.add(cpu(each));
      series.add(
          new Result.Series(
              "rss-" + each.slug(),
              "resident memory of " + each.name(),
              "MiB",
              "memory",
              each.residentBySecond().map(bytes -> bytes / MEBIBYTE).toArray()));
    }
    series.add(cpu(generator));
    return new Samples(
        begin, seconds, uses, series, byKind(), machine(used, targetNanos, (double) (end - begin)));
  }

  private static Result.Series cpu(SampledProcess process) {
    return new Result.Series(
        "cpu-" + process.slug(),
        "CPU of " + process.name() + ", 100 is one processor",
        "%",
        "cpu",
        process.cpuBySecond().map(nanos -> PERCENT * nanos / NANOS).toArray());
  }

  private Map<ThreadKind, Double> byKind() {
    Map<ThreadKind, Double> found = new EnumMap<>(ThreadKind.class);
    if (!targets.isEmpty() && !threads.threads().isEmpty()) {
      files
          .threads(targets.getFirst().pid())
          .since(threads)
          .forEach((kind, nanos) -> found.put(kind, nanos / MICROS));
    }
    return found;
  }

  /// The rest of the machine is what the kernel has counted in steps of 10 ms; less than nothing is
  /// nothing.
  private Samples.Machine machine(double generatorNanos, double targetNanos, double nanos)
      throws IOException {
    if (machine == null) {
      return new Samples.Machine(Double.NaN, Double.NaN, Double.NaN);
    }
    MachineStat now = files.machine().since(machine);
    double others = Math.max(0, now.busyNanos() - generatorNanos - targetNanos);
    return new Samples.Machine(generatorNanos / nanos, others / nanos, now.stolenNanos() / nanos);
  }

  private void join() {
    stopped = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    join();
  }
}
