package im.zonda.bench.load;

import im.zonda.bench.result.Result;
import java.util.List;

/// The figures and verdicts that follow from an outcome.
///
/// @param figures the figures of the scenario, the most important first
/// @param verdicts whether its rules were met
/// @param tables further tables
/// @param notes what a reader must know
public record Conclusion(
    List<Result.Figure> figures,
    List<Result.Verdict> verdicts,
    List<Result.Table> tables,
    List<String> notes) {}
