package im.zonda.bench.profile;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.profile.Profile;
import im.zonda.profile.ProfileReader;
import im.zonda.profile.RecordedPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A scenario whose result is the profile of the server, before the figures of the load.
final class ProfiledScenario implements Scenario {
  /// The word under which results are kept.
  static final String RESULT = "profile";

  private final Scenario scenario;
  private final RecordedTarget target;

  ProfiledScenario(Scenario scenario, RecordedTarget target) {
    this.scenario = scenario;
    this.target = target;
  }

  @Override
  public String name() {
    return scenario.name();
  }

  @Override
  public String resultName() {
    return RESULT;
  }

  @Override
  public String summary() {
    return scenario.summary();
  }

  @Override
  public List<Option> options() {
    return scenario.options();
  }

  @Override
  public Map<String, String> usualTarget() {
    return scenario.usualTarget();
  }

  @Override
  public Plan plan(Options options) {
    return scenario.plan(options);
  }

  @Override
  public void run(Load load) throws Exception {
    scenario.run(load);
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    Conclusion load = scenario.conclude(outcome);
    long sent = outcome.count(Counters.SENT);
    ProfileFigures profile;
    try {
      RecordedPart part = target.finish(sent == 0 ? null : sent);
      Profile read = ProfileReader.read(target.file(), part);
      profile = new ProfileFigures(read, Operation.of(load.figures(), outcome));
    } catch (IOException e) {
      throw new UncheckedIOException("the recording cannot be read: " + e.getMessage(), e);
    }
    List<Result.Figure> figures = new ArrayList<>(profile.figures());
    figures.addAll(load.figures());
    List<Result.Verdict> verdicts = new ArrayList<>(profile.verdicts());
    verdicts.addAll(load.verdicts());
    List<Result.Table> tables = new ArrayList<>(profile.tables());
    tables.addAll(load.tables());
    List<String> notes = new ArrayList<>(profile.notes(target.file()));
    notes.addAll(load.notes());
    return new Conclusion(figures, verdicts, tables, notes);
  }
}
