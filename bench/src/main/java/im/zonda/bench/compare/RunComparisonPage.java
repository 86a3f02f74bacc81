package im.zonda.bench.compare;

import im.zonda.bench.report.ReportPage;
import im.zonda.bench.result.Result;
import java.util.List;

/// The comparison of two runs as a page: the figures beside each other, then the plots of both.
public final class RunComparisonPage {
  private RunComparisonPage() {}

  /// The page. Of each side it shows the plots of the first run.
  ///
  /// @throws IllegalArgumentException if the loads differ
  public static String html(List<Result> a, List<Result> b) {
    RunComparison comparison = new RunComparison(a, b);
    return ReportPage.comparison(
        comparison.answer(),
        new Result.Table("", RunComparison.columns(), comparison.rows()),
        List.of(named("A", a.getFirst()), named("B", b.getFirst())));
  }

  private static Result named(String side, Result result) {
    Result.Subject subject = result.subject();
    String commit = subject.commit().isEmpty() ? "" : " " + subject.commit();
    return result.named(side + ", " + subject.name() + commit);
  }
}
