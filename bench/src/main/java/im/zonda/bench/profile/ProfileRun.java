package im.zonda.bench.profile;

import im.zonda.bench.compare.StartedTarget;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.bench.run.Progress;
import im.zonda.bench.run.RunSettings;
import im.zonda.bench.run.Runner;
import im.zonda.bench.target.Target;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A run of a scenario in which the server is recorded.
public final class ProfileRun {
  /// The name of the recording in the folder of the run.
  public static final String RECORDING = "server.jfr";

  /// Turns with and without recording are short.
  private static final Map<String, String> TURN = Map.of("seconds", "10", "warm-up", "2");

  private static final int PAIRS = 8;

  private final Scenario scenario;
  private final Options options;
  private final RunSettings settings;
  private final InstantSource clock;
  private final Progress progress;

  /// @param options complete
  public ProfileRun(
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

  /// Starts the target, runs the scenario, writes the files of the run. The target stays open,
  /// unless its recording is checked.
  ///
  /// @param check whether what the recording costs is measured, too
  /// @throws Exception if the target does not start, is no Java process, or the scenario fails
  public Result run(Target target, boolean check) throws Exception {
    StartedTarget started = new StartedTarget(target);
    Path file = settings.out().resolve(RECORDING);
    RecordedTarget recorded = new RecordedTarget(started, file, clock, true);
    Result result =
        new Runner(
                new ProfiledScenario(scenario, recorded),
                with(Map.of("scenario", scenario.name())),
                settings,
                clock,
                progress)
            .run(recorded);
    List<Result.Figure> more = new ArrayList<>();
    Endpoint endpoint = started.endpoints().getFirst();
    if (endpoint.transport() == Endpoint.Transport.TCP
        && endpoint.security() != Endpoint.Security.TLS) {
      more.addAll(StreamHeader.of(endpoint).figures());
    }
    if (check) {
      more.addAll(ClockCalls.measure(List.of()));
      more.add(RecordingCost.measure(started, file, this::turn, PAIRS, this::said));
    }
    Result whole = with(result, more);
    ResultJson.write(settings.out().resolve(ResultJson.FILE), whole);
    return whole;
  }

  private void said(int pairs) {
    progress.say("with and without recording, pair " + pairs + " of " + PAIRS);
  }

  private Result turn(Target target, int number) throws IOException, InterruptedException {
    Progress quiet =
        new Progress(new PrintWriter(Writer.nullWriter()), false, scenario.plan(options).time());
    Path folder = settings.out().resolve("turns").resolve(Integer.toString(number));
    return new Runner(scenario, with(TURN), settings.in(folder), clock, quiet).run(target);
  }

  private Options with(Map<String, String> more) {
    Map<String, String> values = new TreeMap<>(options.values());
    values.putAll(more);
    return new Options(values);
  }

  private static Result with(Result result, List<Result.Figure> more) {
    List<Result.Figure> figures = new ArrayList<>(result.figures());
    figures.addAll(more);
    return new Result(
        result.run(),
        result.machine(),
        result.subject(),
        figures,
        result.latencies(),
        result.series(),
        result.marks(),
        result.verdicts(),
        result.tables(),
        result.notes());
  }
}
