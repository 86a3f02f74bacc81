package im.zonda.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.load.Plan;
import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target;
import im.zonda.bench.xmpp.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerTurnTest {
  private static final Plan PLAN = new Plan(1, 0, false, 1, Duration.ofSeconds(1), "one client");

  private final List<String> events = new ArrayList<>();

  /// A server that only notes what happens to it.
  private final class Noted implements Target {
    private final String name;

    Noted(String name) {
      this.name = name;
    }

    @Override
    public void start(Plan plan) {
      events.add("start " + name);
    }

    @Override
    public List<Endpoint> endpoints() {
      return List.of();
    }

    @Override
    public String service(String kind) {
      return kind;
    }

    @Override
    public List<TargetProcess> processes() {
      return List.of();
    }

    @Override
    public @Nullable Path gcLog() {
      return null;
    }

    @Override
    public Result.Subject subject() {
      return new Result.Subject(name, "", "", List.of());
    }

    @Override
    public void close() {
      events.add("close " + name);
    }
  }

  private ServerTurn turn(@Nullable String cost, Result.Figure... figures) {
    return new ServerTurn(
        new Noted("a"),
        new Noted("b"),
        (target, side, turn) -> {
          target.start(PLAN);
          events.add("run " + turn + " " + target.subject().name());
          return new Result(
              ComparisonTest.run("chat"),
              ComparisonTest.MACHINE,
              target.subject(),
              List.of(figures),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of());
        },
        cost);
  }

  private static final Result.Figure RATE = new Result.Figure("rate", "rate", 5, "1/s", null);
  private static final Result.Figure CPU =
      new Result.Figure("cpu-per-message", "CPU", 20, "us", null);

  @Test
  void serversAreStartedOnceAndStay() throws Exception {
    try (ServerTurn turn = turn(null, RATE, CPU)) {
      assertThat(Pairs.run(turn, 2, done -> {}).b()).containsExactly(20, 20);
      assertThat(turn.unit()).isEqualTo("us");
      assertThat(turn.last(Turn.Side.B).subject().name()).isEqualTo("b");
    }
    assertThat(events)
        .containsExactly(
            "start a", "run 1 a", "start b", "run 2 b", "run 3 b", "run 4 a", "close a", "close b");
  }

  @Test
  void anotherFigureCanBeCompared() throws Exception {
    try (ServerTurn turn = turn("rate", RATE, CPU)) {
      assertThat(turn.run(Turn.Side.A)).isEqualTo(5);
    }
  }

  @Test
  void turnsWithoutCostAreExplained() {
    try (ServerTurn turn = turn(null, RATE)) {
      assertThatThrownBy(() -> turn.run(Turn.Side.A))
          .hasMessage("chat has no figure cpu-per-… to compare; there are rate");
    }
    Result.Figure none = new Result.Figure("cpu-per-login", "CPU", Double.NaN, "ms", null);
    try (ServerTurn turn = turn(null, none)) {
      assertThatThrownBy(() -> turn.run(Turn.Side.B))
          .hasMessageContaining("turn 1 of B has no cpu-per-login above 0");
    }
  }
}
