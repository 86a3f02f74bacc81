package im.zonda.bench.compare;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import im.zonda.bench.statistics.Ratio;
import im.zonda.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Two servers or builds that were compared by turns.
///
/// @param a the name of A
/// @param b the name of B
/// @param unit of a cost, such as `us`
/// @param pairs the costs
/// @param same pairs of A alone; null if they were not measured
public record Comparison(String a, String b, String unit, Pairs pairs, @Nullable Pairs same) {
  private static final double[] DIFFERENCES = {0.01, 0.03, 0.05};

  /// What the pairs say of B.
  public Judgement judgement() {
    return Judgement.of(a, b, pairs.ratio(), sameRatio());
  }

  private @Nullable Ratio sameRatio() {
    return same == null ? null : same.ratio();
  }

  /// The comparison as the result of a run.
  ///
  /// @param subject B
  public Result result(Result.Run run, Result.Machine machine, Result.Subject subject) {
    Ratio ratio = pairs.ratio();
    Judgement judgement = judgement();
    boolean met = judgement.kind() != Judgement.Kind.SLOWER;
    return new Result(
        run,
        machine,
        subject,
        figures(ratio),
        List.of(),
        List.of(),
        List.of(),
        List.of(new Result.Verdict(met, judgement.sentence(), b + " is not slower than " + a)),
        List.of(turns("Turns", a, b, pairs)),
        notes(ratio));
  }

  private List<Result.Figure> figures(Ratio ratio) {
    List<Result.Figure> figures = new ArrayList<>();
    figures.add(
        new Result.Figure(
            "ratio",
            "cost of " + b + " divided by that of " + a,
            ratio.value(),
            "",
            new Result.Interval(ratio.low(), ratio.high())));
    figures.add(cost("cost-a", a, pairs.a()));
    figures.add(cost("cost-b", b, pairs.b()));
    figures.add(
        new Result.Figure(
            "noise", "standard deviation of the ratio of a pair", 100 * ratio.noise(), "%", null));
    Ratio own = sameRatio();
    figures.add(
        new Result.Figure(
            "floor",
            "difference that " + a + " shows from itself, at most",
            own == null ? Double.NaN : 100 * own.largestDifference(),
            "%",
            null));
    figures.add(new Result.Figure("pairs", "pairs of turns", ratio.pairs(), "", null));
    return figures;
  }

  private Result.Figure cost(String name, String subject, double[] costs) {
    return new Result.Figure(
        name,
        "cost of an operation, " + subject + ", median",
        Sample.of(costs).median(),
        unit,
        null);
  }

  private static List<String> notes(Ratio ratio) {
    List<String> notes = new ArrayList<>();
    for (double difference : DIFFERENCES) {
      notes.add(
          "To show a difference of "
              + Numbers.of(100 * difference)
              + " % at this noise, "
              + ratio.pairsFor(difference)
              + " pairs are needed.");
    }
    return notes;
  }

  private static Result.Table turns(String title, String a, String b, Pairs pairs) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < pairs.a().length; i++) {
      rows.add(
          List.of(
              String.valueOf(i + 1),
              i % 2 == 0 ? "A B" : "B A",
              Numbers.of(pairs.a()[i]),
              Numbers.of(pairs.b()[i]),
              Numbers.of(pairs.b()[i] / pairs.a()[i])));
    }
    return new Result.Table(title, List.of("pair", "order", a, b, "ratio"), rows);
  }
}
