package im.zonda.bench.run;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.RecordedCounters;
import im.zonda.bench.load.RecordedLatencies;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.HistogramText;
import im.zonda.bench.xmpp.ClientLoops;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// One process's part of a run: the load of a scenario, and the messages about it to the parent.
final class WorkerRun implements Load {
  private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Scenario scenario;
  private final Assignment assignment;
  private final Options options;
  private final Link parent;
  private final RecordedLatencies latencies = new RecordedLatencies();
  private final RecordedCounters counters = new RecordedCounters();
  private final BlockingQueue<Long> begins = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> warm = new CompletableFuture<>();
  private final AtomicLong nextProgress = new AtomicLong();
  private final ScheduledExecutorService ticker =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("bench-seconds").factory());
  private @Nullable ClientLoops loops;

  // Guarded by this object's monitor.
  private boolean measuring;
  private long second;
  private long cpuBefore;
  private long cpuMicros;
  private Map<String, Long> before = Map.of();
  private Map<String, Long> lastTotals = Map.of();
  private Map<String, Long> inMeasure = Map.of();

  /// @param parent gets the phases, seconds and the end
  WorkerRun(Scenario scenario, Assignment assignment, Link parent) {
    this.scenario = scenario;
    this.assignment = assignment;
    this.options = new Options(assignment.options());
    this.parent = parent;
  }

  /// Runs the scenario and says how that ended.
  void run() {
    try (ClientLoops open = ClientLoops.open(assignment.loops())) {
      loops = open;
      var _ = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
      scenario.run(this);
      endMeasure(System.nanoTime());
      ticker.shutdownNow();
      tick();
      parent.say(
          Line.of(Line.DONE)
              .with("totals", counters.totals())
              .with("measured", inMeasure)
              .with("cpu", cpuMicros)
              .with("problems", counters.problems()));
    } catch (Exception | Error e) { // whatever it is, the person who waits must see it
      ticker.shutdownNow();
      parent.say(
          Line.of(Line.FAILED).with("text", describe(e)).with("problems", counters.problems()));
    }
  }

  private static String describe(Throwable failure) {
    String message = failure.getMessage();
    boolean plain = failure instanceof IOException || failure instanceof IllegalArgumentException;
    return plain && message != null ? message : failure.toString();
  }

  /// Takes what the parent says.
  void heard(Line line) {
    switch (line.kind()) {
      case Line.BEGIN -> begins.add(line.whole("nanos"));
      case Line.WARM -> warm.complete(null);
      default -> throw new IllegalStateException("the parent says " + line);
    }
  }

  @Override
  public Options options() {
    return options;
  }

  @Override
  public boolean isMine(int client) {
    return assignment.isMine(client);
  }

  @Override
  public Endpoint endpoint(int client) {
    return assignment.endpoint(client);
  }

  @Override
  public Endpoint endpoint(int client, Endpoint.Transport transport) {
    return assignment.endpoint(client, transport);
  }

  @Override
  public String password() {
    return assignment.password();
  }

  @Override
  public ClientLoops loops() {
    ClientLoops open = loops;
    if (open == null) {
      throw new IllegalStateException("the run has not begun");
    }
    return open;
  }

  @Override
  public Latencies latencies() {
    return latencies;
  }

  @Override
  public Counters counters() {
    return counters;
  }

  @Override
  public long phase(String name) {
    parent.say(Line.of(Line.PHASE).with("name", name));
    try {
      long begin = begins.take();
      endMeasure(begin);
      if (name.equals(MEASURE)) {
        beginMeasure(begin);
      }
      return begin;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the run was ended", e);
    }
  }

  @Override
  public void awaitWarm() {
    parent.say(Line.of(Line.WARMING));
    warm.join();
  }

  @Override
  public void progress(long done, long total, String what) {
    long now = System.nanoTime();
    long next = nextProgress.get();
    if ((now - next >= 0 || done == total)
        && nextProgress.compareAndSet(next, now + PROGRESS_NANOS)) {
      parent.say(Line.of(Line.PROGRESS).with("done", done).with("total", total).with("what", what));
    }
  }

  private synchronized void beginMeasure(long begin) {
    tick();
    latencies.measureFrom(begin);
    measuring = true;
    second = 0;
    before = counters.totals();
    lastTotals = before;
    cpuBefore = cpu();
    // From now on seconds of the measured part.
    var _ =
        ticker.scheduleAtFixedRate(
            this::measuredSecond,
            begin + TimeUnit.SECONDS.toNanos(1) - System.nanoTime(),
            TimeUnit.SECONDS.toNanos(1),
            TimeUnit.NANOSECONDS);
  }

  private synchronized void endMeasure(long end) {
    if (measuring) {
      latencies.measureUntil(end);
      tellSecond();
      measuring = false;
      cpuMicros = cpu() - cpuBefore;
      inMeasure = difference(before, counters.totals());
    }
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime()
        / 1_000;
  }

  private static Map<String, Long> difference(Map<String, Long> from, Map<String, Long> to) {
    Map<String, Long> difference = new HashMap<>();
    to.forEach((name, count) -> difference.put(name, count - from.getOrDefault(name, 0L)));
    return difference;
  }

  /// Once a second while nothing is measured: how much the warm-up has done.
  private synchronized void tick() {
    if (!measuring) {
      parent.say(
          Line.of(Line.SECOND)
              .with("at", -1)
              .with("operations", latencies.operations())
              .with("latencies", encoded())
              .with("lasts", lasts())
              .with("counters", Map.of()));
    }
  }

  private synchronized void measuredSecond() {
    if (measuring) {
      tellSecond();
    }
  }

  private void tellSecond() {
    Map<String, Long> now = counters.totals();
    parent.say(
        Line.of(Line.SECOND)
            .with("at", second++)
            .with("operations", latencies.operations())
            .with("latencies", encoded())
            .with("lasts", lasts())
            .with("counters", difference(lastTotals, now)));
    lastTotals = now;
  }

  private Map<String, String> encoded() {
    Map<String, String> encoded = new LinkedHashMap<>();
    for (Map.Entry<String, Histogram> each : latencies.interval().entrySet()) {
      encoded.put(each.getKey(), HistogramText.of(each.getValue()));
    }
    return encoded;
  }

  /// By tag, three numbers for each key: the key, when it was due, and microseconds.
  private Map<String, List<Long>> lasts() {
    Map<String, List<Long>> encoded = new LinkedHashMap<>();
    latencies
        .intervalOfLasts()
        .forEach((tag, parts) -> {
          List<Long> numbers = new ArrayList<>();
          parts.forEach((key, last) -> {
            numbers.add((long) key);
            numbers.add(last.due());
            numbers.add(last.micros());
          });
          encoded.put(tag, numbers);
        });
    return encoded;
  }
}
