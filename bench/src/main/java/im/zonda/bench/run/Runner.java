package im.zonda.bench.run;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.sample.GcLog;
import im.zonda.bench.sample.PageUse;
import im.zonda.bench.sample.Sampler;
import im.zonda.bench.sample.Samples;
import im.zonda.bench.target.Target;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a scenario against a target, and makes a result of it.
public final class Runner {
  private static final double LEAST_PAUSE_MILLIS = 1;
  private static final int MOST_LOOPS = 4;

  private final Scenario scenario;
  private final Options options;
  private final RunSettings settings;
  private final InstantSource clock;
  private final Progress progress;

  /// @param options complete, see [CommonOptions]
  public Runner(
      Scenario scenario,
      Options options,
      RunSettings settings,
      InstantSource clock,
      Progress progress) {
    this.scenario = scenario;
    this.options = options;
    this.settings = settings;
    this.clock = clock;
    this.progress = progress;
  }

  /// Starts the target, runs the scenario, writes the files of the run.
  ///
  /// @throws IOException if the target does not start, or the scenario fails
  public Result run(Target target) throws IOException, InterruptedException {
    Plan plan = scenario.plan(options);
    progress.say("starting the server with " + plan.accounts() + " accounts");
    target.start(plan);
    var started = clock.instant();
    int processes = settings.processesFor(plan.sockets());
    Measurements measurements = new Measurements();
    Watch watch = new Watch(target);
    BlockingQueue<Coordinator.Said> said = new LinkedBlockingQueue<>();
    List<WorkerProcess> workers = new ArrayList<>();
    Coordinator coordinator =
        new Coordinator(workers, said, measurements, watch, CommonOptions.warmUp(options));
    int loops = loops(processes);
    try {
      for (int i = 0; i < processes; i++) {
        int index = i;
        Consumer<Line> tell = line -> said.add(new Coordinator.Said(index, line));
        Assignment assignment =
            new Assignment(
                scenario.name(),
                options.values(),
                target.endpoints(),
                others(target),
                settings.password(),
                new Assignment.Share(i, processes),
                loops);
        workers.add(
            processes == 1
                ? WorkerProcess.inside(scenario, assignment, tell)
                : WorkerProcess.start(assignment, tell));
      }
      watch.generator = workers.stream().map(WorkerProcess::pid).toList();
      coordinator.run();
      measurements.endLasts(watch.begin);
    } finally {
      workers.forEach(WorkerProcess::close);
      watch.close();
    }
    Result.Run run =
        new Result.Run(
            scenario.resultName(),
            settings.command(),
            options.values(),
            Long.parseLong(options.text("seed")),
            started,
            watch.seconds,
            processes);
    Result result = result(target, run, measurements, watch, loops);
    RunFiles.write(settings.out(), result, measurements, target.gcLog());
    return result;
  }

  private static List<Endpoint> others(Target target) {
    return Arrays.stream(Endpoint.Transport.values())
        .flatMap(each -> target.endpoints(each).stream())
        .toList();
  }

  private static int loops(int processes) {
    int half = Runtime.getRuntime().availableProcessors() / 2;
    return Math.clamp(half / processes, 1, MOST_LOOPS);
  }

  private Result result(
      Target target, Result.Run run, Measurements measured, Watch watch, int loops)
      throws IOException {
    Samples samples = watch.samples;
    List<Result.Series> series = new ArrayList<>(SeriesOfRun.of(measured));
    if (samples != null) {
      series.addAll(samples.series());
    }
    Outcome outcome =
        new Outcome(
            options,
            run.seconds(),
            measured.latencies(),
            measured.counters(),
            measured.totals(),
            samples == null ? List.of() : samples.uses(),
            List.copyOf(series));
    Conclusion conclusion = scenario.conclude(outcome);
    List<Result.Verdict> verdicts = new ArrayList<>(conclusion.verdicts());
    verdicts.add(Honesty.punctual(measured.latencies()));
    int usable = Math.min(loops * run.processes(), Runtime.getRuntime().availableProcessors());
    verdicts.add(Honesty.idle((double) measured.cpuMicros(), run.seconds(), usable));
    List<Result.Mark> marks = new ArrayList<>();
    List<Result.Table> tables = new ArrayList<>(conclusion.tables());
    List<String> notes = new ArrayList<>(conclusion.notes());
    List<Result.Figure> figures = new ArrayList<>(conclusion.figures());
    try {
      figures.addAll(target.figures());
    } catch (IOException e) {
      notes.add("The server's own figures could not be read: " + e.getMessage() + ".");
    }
    figures.addAll(watch.pages);
    if (samples != null) {
      notes.addAll(samples.notes());
      if (!samples.threads().isEmpty()) {
        tables.add(samples.threadTable(measured.counters().getOrDefault(Counters.RECEIVED, 0L)));
      }
      Path log = target.gcLog();
      if (log != null) {
        GcLog pauses = GcLog.read(log);
        long end = samples.beginNanos() + (long) (samples.seconds() * 1e9);
        marks.addAll(pauses.marks(samples.beginNanos(), end, LEAST_PAUSE_MILLIS));
        figures.add(longest(pauses.marks(samples.beginNanos(), end, 0)));
        series.add(pauses.liveHeap(samples.beginNanos(), (int) Math.ceil(samples.seconds())));
      }
    }
    notes.addAll(problems(measured.problems()));
    return new Result(
        run,
        Machine.describe(),
        target.subject(),
        figures,
        SeriesOfRun.latencies(measured),
        series,
        marks,
        verdicts,
        tables,
        notes);
  }

  private static Result.Figure longest(List<Result.Mark> pauses) {
    double most = pauses.stream().mapToDouble(Result.Mark::millis).max().orElse(0);
    return new Result.Figure("pause-max", "longest pause of the server's JVM", most, "ms", null);
  }

  private static List<String> problems(Map<String, Long> problems) {
    List<String> notes = new ArrayList<>();
    problems.forEach((sentence, count) ->
        notes.add(count == 1 ? sentence : sentence + " (" + count + " times)"));
    return notes;
  }

  /// Samples the target while the scenario measures.
  private final class Watch implements Coordinator.Observer {
    private final Target target;
    private List<Long> generator = List.of();
    private @Nullable Sampler sampler;
    private @Nullable Sampler warmUp;
    private @Nullable Samples samples;
    private @Nullable PageUse pagesBefore;
    private List<Result.Figure> pages = List.of();
    private long begin;
    private double seconds;

    Watch(Target target) {
      this.target = target;
    }

    @Override
    public void phaseBegins(String name, long nanos) throws IOException {
      progress.say(name);
      target.phaseBegins(name, nanos);
      if (name.equals(Load.MEASURE)) {
        begin = nanos;
        pagesBefore = pagesOfServer().orElse(null);
        sampler = new Sampler(target.processes(), generator);
      }
    }

    @Override
    public void measureEnds() throws IOException {
      seconds = (System.nanoTime() - begin) / 1e9;
      Sampler running = sampler;
      sampler = null;
      if (running != null) {
        samples = running.stop();
      }
      PageUse before = pagesBefore;
      if (before != null) {
        pages = pagesOfServer().map(now -> now.figuresSince(before)).orElse(List.of());
      }
      target.measureEnds();
    }

    private Optional<PageUse> pagesOfServer() throws IOException {
      List<Target.TargetProcess> all = target.processes();
      return all.isEmpty() ? Optional.empty() : PageUse.read(all.getFirst().pid());
    }

    @Override
    public void progress(String what, long done, long total) {
      progress.part(what, done, total);
    }

    /// Without this a load would wait for the answers of a server that is gone, in each phase.
    @Override
    public void tick() throws IOException {
      progress.tick();
      for (Target.TargetProcess each : target.processes()) {
        if (ProcessHandle.of(each.pid()).filter(ProcessHandle::isAlive).isEmpty()) {
          throw new IOException("the process of the " + each.name() + " has ended under load");
        }
      }
    }

    @Override
    public double serverMicros() throws IOException {
      Sampler before = warmUp;
      warmUp = new Sampler(target.processes(), generator);
      if (before == null) {
        return Double.NaN;
      }
      List<Outcome.ProcessUse> uses = before.stop().uses();
      return uses.isEmpty()
          ? Double.NaN
          : uses.stream().mapToDouble(Outcome.ProcessUse::cpuMicros).sum();
    }

    void close() {
      for (Sampler each : new Sampler[] {sampler, warmUp}) {
        if (each != null) {
          each.close();
        }
      }
    }
  }
}
