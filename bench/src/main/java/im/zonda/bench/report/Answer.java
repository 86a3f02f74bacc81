package im.zonda.bench.report;

import im.zonda.bench.plot.Numbers;
import im.zonda.bench.result.Result;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The answer of a run in one sentence.
final class Answer {
  private Answer() {}

  /// The sentence: why a run is not valid; of several servers, how the first compares with the best
  /// of the others by the first figure that all have; of one, the first rule that was missed, or
  /// the first rule, or the first figure.
  static String sentence(List<Result> results) {
    Result first = results.getFirst();
    for (Result result : results) {
      for (Result.Verdict verdict : result.verdicts()) {
        if (verdict.againstGenerator()) {
          return (results.size() > 1 ? result.subject().name() + ": " : "") + verdict.sentence();
        }
      }
    }
    if (results.size() > 1) {
      Optional<String> comparison = comparison(results);
      if (comparison.isPresent()) {
        return comparison.get();
      }
    }
    Optional<String> verdict =
        first.verdicts().stream()
            .min(Comparator.comparing(Result.Verdict::met))
            .map(Result.Verdict::sentence);
    if (verdict.isPresent()) {
      return verdict.get();
    }
    return first.figures().stream()
        .filter(figure -> !Double.isNaN(figure.value()))
        .findFirst()
        .map(figure -> figure.label() + ": " + Numbers.of(figure.value(), figure.unit()) + ".")
        .orElse("Nothing was measured.");
  }

  private static Optional<String> comparison(List<Result> results) {
    Result first = results.getFirst();
    for (Result.Figure figure : first.figures()) {
      List<Result> others =
          results.stream()
              .skip(1)
              .filter(other -> Figures.value(other, figure.name()) > 0)
              .toList();
      if (!(figure.value() > 0) || others.isEmpty()) {
        continue;
      }
      boolean more = Figures.moreIsBetter(figure);
      Comparator<Result> order =
          Comparator.comparingDouble(other -> Figures.value(other, figure.name()));
      Result best = others.stream().min(more ? order.reversed() : order).orElseThrow();
      double theirs = Figures.value(best, figure.name());
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s of %s is %s, %s of the best rival here, %s, with %s.",
              figure.label(),
              first.subject().name(),
              Numbers.of(figure.value(), figure.unit()),
              times(figure.value() / theirs),
              best.subject().name(),
              Numbers.of(theirs, figure.unit())));
    }
    return Optional.empty();
  }

  /// A ratio as `1/8.2` or `1.3 times that`.
  static String times(double ratio) {
    return ratio < 0.95 ? "1/" + Numbers.of(1 / ratio) : Numbers.of(ratio) + " times that";
  }
}
