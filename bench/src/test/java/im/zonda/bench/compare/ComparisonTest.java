package im.zonda.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import im.zonda.bench.statistics.Ratio;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  /// A machine that becomes slower all the time, and whose turns scatter by 2 %.
  ///
  /// @param slower how many times as much B costs
  private static Turn machine(long seed, double slower) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] drift = {20};
    return side -> {
      drift[0] *= 1.02;
      double noise = Math.exp(0.02 * random.nextGaussian());
      return drift[0] * noise * (side == Turn.Side.A ? 1 : slower);
    };
  }

  private static Judgement judged(double slower) throws Exception {
    Turn turn = machine(11, slower);
    return new Comparison(
            "before",
            "after",
            "us",
            Pairs.run(turn, 20, done -> {}),
            Pairs.ofSame(turn, 20, done -> {}))
        .judgement();
  }

  @Test
  void turnsAreInterleaved() throws Exception {
    List<Turn.Side> order = new ArrayList<>();
    List<Integer> done = new ArrayList<>();
    Pairs pairs =
        Pairs.run(
            side -> {
              order.add(side);
              return order.size();
            },
            3,
            done::add);
    assertThat(order).asString().isEqualTo("[A, B, B, A, A, B, B, A]");
    assertThat(pairs.a()).containsExactly(1, 4, 5, 8);
    assertThat(pairs.b()).containsExactly(2, 3, 6, 7);
    assertThat(done).containsExactly(1, 2, 3, 4);
  }

  @Test
  void plantedSlownessIsFoundOnMachineThatDrifts() throws Exception {
    Judgement judgement = judged(1.05);
    assertThat(judgement.kind()).isEqualTo(Judgement.Kind.SLOWER);
    assertThat(judgement.sentence()).matches("after is slower: after costs [3-6].* % more .*");
    assertThat(judged(0.95).kind()).isEqualTo(Judgement.Kind.FASTER);
  }

  @Test
  void nullIsNotFoundOnMachineThatDrifts() throws Exception {
    Judgement judgement = judged(1);
    assertThat(judgement.kind()).isEqualTo(Judgement.Kind.NO_DIFFERENCE);
    assertThat(judgement.sentence()).matches(".* larger than [0-2]\\.?[0-9]* %\\.");
  }

  @Test
  void smallAndNoisyDifferencesAreNotWorthCode() {
    Ratio small = new Ratio(0.997, 0.996, 0.998, 0.01, 100);
    assertThat(Judgement.of("a", "b", small, null))
        .isEqualTo(
            new Judgement(
                Judgement.Kind.NOT_WORTH_CODE,
                "b costs 0.3 % less than a (-0.4 % to -0.2 %): below 0.5 %, not worth code."));
    Ratio noisy = new Ratio(1.03, 1.02, 1.04, 0.01, 10);
    Ratio same = new Ratio(1.01, 0.98, 1.04, 0.05, 10);
    assertThat(Judgement.of("a", "b", noisy, same).kind()).isEqualTo(Judgement.Kind.WITHIN_NOISE);
    assertThat(Judgement.of("a", "b", noisy, null).kind()).isEqualTo(Judgement.Kind.SLOWER);
  }

  static Result.Run run(String scenario) {
    return new Result.Run(
        scenario, List.of("zonda"), Map.of(), 1, Instant.parse("2026-11-29T18:00:00Z"), 8, 1);
  }

  static final Result.Machine MACHINE = new Result.Machine("x", 2, 1, "Linux", "25");

  @Test
  void comparisonIsResult() throws Exception {
    Comparison comparison =
        new Comparison("before", "after", "us", Pairs.run(machine(3, 1.05), 20, done -> {}), null);
    Result result =
        comparison.result(run("compare"), MACHINE, new Result.Subject("after", "", "", List.of()));
    assertThat(result.verdicts()).singleElement().matches(verdict -> !verdict.met());
    assertThat(result.figures().getFirst().interval()).isNotNull();
    assertThat(result.tables().getFirst().rows()).hasSize(20);
    assertThat(result.notes()).anyMatch(note -> note.contains("difference of 5 %"));
    assertThat(ResultJson.result(ResultJson.text(result)).figures()).isEqualTo(result.figures());
  }

  private static Result result(double cpu, double rate) {
    return new Result(
        run("chat"),
        MACHINE,
        new Result.Subject("zonda", "", "", List.of()),
        List.of(
            new Result.Figure("cpu", "CPU", cpu, "us", new Result.Interval(cpu - 0.1, cpu + 0.1)),
            new Result.Figure("rate", "rate", rate, "1/s", null),
            new Result.Figure("lost", "lost", 0, "", null),
            new Result.Figure("heap", "heap", Double.NaN, "MiB", null)),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  @Test
  void figuresOfTwoRunsHaveRatiosWhereTheyHaveIntervals() {
    assertThat(new RunComparison(List.of(result(20, 500)), List.of(result(22, 501))).rows())
        .containsExactly(
            List.of("CPU", "20 us", "22 us", "1.1", "1.09 to 1.11", "B is worse: +10.0 %"),
            List.of("rate", "500 1/s", "501 1/s", "1", "", "below 0.5 %: not worth code"),
            List.of("lost", "0", "0", "", "", "the same"));
  }

  @Test
  void pageBeginsWithFirstFigure() {
    assertThat(RunComparisonPage.html(List.of(result(20, 500)), List.of(result(22, 501))))
        .contains("<h1>CPU: 20 us of A, 22 us of B; B is worse: +10.0 %.</h1>")
        .contains("<td>B is worse: +10.0 %</td>")
        .contains("A, zonda");
  }

  @Test
  void runsOfEachSideArePairs() {
    List<Result> a = List.of(result(20, 500), result(30, 500), result(25, 500), result(40, 500));
    List<Result> b =
        List.of(result(20.2, 600), result(29.8, 610), result(25.1, 590), result(40, 600));
    List<List<String>> rows = new RunComparison(a, b).rows();
    assertThat(rows.get(0).get(5)).startsWith("no difference larger than");
    assertThat(rows.get(1).get(5)).startsWith("B is better: +20");
    assertThat(rows.get(2).get(5)).isEqualTo("the same");
  }

  @Test
  void runsOfDifferentScenariosAreRefused() {
    Result other =
        new Result(
            run("login"),
            MACHINE,
            result(1, 1).subject(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    assertThatThrownBy(() -> new RunComparison(List.of(result(1, 1)), List.of(other)))
        .hasMessage("the runs are of different scenarios: chat, login");
  }
}
