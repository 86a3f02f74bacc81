package im.zonda.bench.scenario.s2s;

import im.zonda.bench.load.Conclusion;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.load.Outcome;
import im.zonda.bench.load.Plan;
import im.zonda.bench.load.Scenario;
import im.zonda.bench.result.Result;
import im.zonda.bench.scenario.chat.ChatScenario;
import im.zonda.bench.scenario.person.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The load of `chat`, with the two users of each pair at different servers, which are connected to
/// each other. With `--hosts 2` in place of `--servers 2` both domains are of one server, for
/// comparison.
public final class ServerToServerScenario implements Scenario {
  private final ChatScenario chat = new ChatScenario();

  @Override
  public String name() {
    return "s2s";
  }

  @Override
  public String summary() {
    return "Pairs of users at two servers send each other messages.";
  }

  @Override
  public List<Option> options() {
    return chat.options();
  }

  @Override
  public Map<String, String> usualTarget() {
    return Map.of("servers", "2");
  }

  @Override
  public Plan plan(Options options) {
    Plan plan = chat.plan(options);
    return new Plan(
        plan.accounts(),
        plan.contacts(),
        plan.vcards(),
        plan.sockets(),
        plan.time(),
        "Users of a pair are at different servers: " + plan.words());
  }

  @Override
  public void run(Load load) throws Exception {
    String one = load.endpoint(0).domain();
    if (one.equals(load.endpoint(1).domain())) {
      throw new IllegalArgumentException(
          "s2s needs users of two domains; give --servers 2 or --hosts 2");
    }
    chat.run(load);
  }

  @Override
  public Conclusion conclude(Outcome outcome) {
    Conclusion conclusion = chat.conclude(outcome);
    List<Result.Figure> figures = new ArrayList<>(conclusion.figures());
    figures.addAll(Figures.ofCosts(outcome, "", "", 0));
    return new Conclusion(figures, conclusion.verdicts(), conclusion.tables(), conclusion.notes());
  }
}
