package im.zonda.bench.run;

import im.zonda.bench.load.Load;
import im.zonda.bench.statistics.WarmUp;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// Leads the workers of a run through its phases and takes what they measure. Confined to the
/// thread that calls [#run].
final class Coordinator {
  /// How far ahead the beginning of a phase is, so that all workers know of it before.
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long MOST_WARM_UP_NANOS = TimeUnit.MINUTES.toNanos(3);

  /// Where the server's CPU time is unknown.
  private static final long UNKNOWN_WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int POLL_MILLIS = 50;

  /// A line of a worker.
  record Said(int worker, Line line) {}

  /// What happens beside the workers.
  interface Observer {
    /// A phase begins.
    ///
    /// @param nanos by [System#nanoTime]
    void phaseBegins(String name, long nanos) throws IOException;

    /// All workers have ended the phase that is measured.
    void measureEnds() throws IOException;

    /// How far all workers are.
    void progress(String what, long done, long total);

    /// Called some times a second.
    ///
    /// @throws IOException if the run cannot go on
    void tick() throws IOException;

    /// The CPU time of the server since the last call, in microseconds; NaN if it is unknown.
    double serverMicros() throws IOException;
  }

  private final List<? extends Link> workers;
  private final BlockingQueue<Said> said;
  private final Measurements measurements;
  private final Observer observer;
  private final double warmUpSeconds;

  private final Map<Integer, String> waiting = new HashMap<>();
  private final Set<Integer> warming = new HashSet<>();
  private final Set<Integer> ended = new HashSet<>();
  private final Map<Integer, Long> operations = new HashMap<>();
  private final Map<Integer, Line> progress = new HashMap<>();
  private final WarmUp steady = new WarmUp();
  private boolean isWarm;
  private boolean isWarming;
  private boolean measuring;
  private long warmingSince;
  private long windowEnd;
  private long operationsBefore;
  private double warmUpTook;

  /// @param warmUpSeconds how long a warm-up takes; NaN if that is to be found
  Coordinator(
      List<? extends Link> workers,
      BlockingQueue<Said> said,
      Measurements measurements,
      Observer observer,
      double warmUpSeconds) {
    this.workers = workers;
    this.said = said;
    this.measurements = measurements;
    this.observer = observer;
    this.warmUpSeconds = warmUpSeconds;
  }

  /// Returns when all workers have ended.
  ///
  /// @throws IOException if one of them fails
  void run() throws IOException, InterruptedException {
    while (ended.size() < workers.size()) {
      Said next = said.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (next != null) {
        handle(next.worker(), next.line());
      }
      observer.tick();
      if (isWarming && !isWarm && hasWarmed(System.nanoTime())) {
        isWarm = true;
        warmUpTook = (System.nanoTime() - warmingSince) / 1e9;
        tell(Line.of(Line.WARM));
      }
    }
    endMeasure();
  }

  /// How long the server was warmed up, in seconds.
  double warmUpTook() {
    return warmUpTook;
  }

  private void handle(int worker, Line line) throws IOException {
    switch (line.kind()) {
      case Line.PHASE -> waiting.put(worker, line.text("name"));
      case Line.WARMING -> warming.add(worker);
      case Line.SECOND -> {
        operations.put(worker, line.whole("operations"));
        measurements.addSecond(line);
      }
      case Line.PROGRESS -> {
        progress.put(worker, line);
        tellProgress(line.text("what"));
      }
      case Line.DONE -> {
        measurements.addEnd(line);
        ended.add(worker);
      }
      case Line.FAILED -> {
        measurements.addEnd(line);
        throw new IOException(line.text("text"));
      }
      default -> throw new IOException("a worker says " + line);
    }
    advance();
  }

  private void tellProgress(String what) {
    long done = 0;
    long total = 0;
    for (Line each : progress.values()) {
      if (each.text("what").equals(what)) {
        done += each.whole("done");
        total = Math.max(total, each.whole("total"));
      }
    }
    observer.progress(what, done, total);
  }

  /// Goes on if all workers that have not ended wait for the same.
  private void advance() throws IOException {
    int running = workers.size() - ended.size();
    if (running == 0) {
      return;
    }
    if (warming.size() == running && !isWarming) {
      isWarming = true;
      warmingSince = System.nanoTime();
      windowEnd = warmingSince + WINDOW_NANOS;
      operationsBefore = operations();
      if (Double.isNaN(warmUpSeconds)) {
        observer.serverMicros();
      }
    }
    if (waiting.size() == running) {
      Set<String> names = new HashSet<>(waiting.values());
      if (names.size() > 1) {
        throw new IOException("workers wait for different phases: " + names);
      }
      waiting.clear();
      endMeasure();
      begin(names.iterator().next());
    }
  }

  private void begin(String phase) throws IOException {
    long nanos = System.nanoTime() + LEAD_NANOS;
    tell(Line.of(Line.BEGIN).with("nanos", nanos));
    measuring = phase.equals(Load.MEASURE);
    observer.phaseBegins(phase, nanos);
  }

  private void endMeasure() throws IOException {
    if (measuring) {
      measuring = false;
      observer.measureEnds();
    }
  }

  private void tell(Line line) {
    for (int i = 0; i < workers.size(); i++) {
      if (!ended.contains(i)) {
        workers.get(i).say(line);
      }
    }
  }

  private long operations() {
    return operations.values().stream().mapToLong(Long::longValue).sum();
  }

  private boolean hasWarmed(long now) throws IOException {
    if (!Double.isNaN(warmUpSeconds)) {
      return now - warmingSince >= (long) (warmUpSeconds * 1e9);
    }
    if (now - windowEnd < 0) {
      return false;
    }
    windowEnd = now + WINDOW_NANOS;
    double micros = observer.serverMicros();
    long done = operations() - operationsBefore;
    operationsBefore = operations();
    if (Double.isNaN(micros)) {
      return now - warmingSince >= UNKNOWN_WARM_UP_NANOS;
    }
    boolean found = steady.add(done == 0 ? Double.NaN : micros / done);
    return found || now - warmingSince >= MOST_WARM_UP_NANOS;
  }
}
