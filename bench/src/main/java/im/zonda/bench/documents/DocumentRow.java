package im.zonda.bench.documents;

import java.util.List;

/// A figure, table, graph or parameter of a document.
///
/// @param id a letter for the document and a number, such as `A13`
/// @param item what it is
/// @param then the document's figure; empty if the document gives none
/// @param command the command that measures the same here; empty if there is none
/// @param figures the figures that answer it
/// @param answer what is to be said beside the figures, or in their place: the reason why nothing
///   is measured, or where the answer is
public record DocumentRow(
    String id, String item, String then, String command, List<Source> figures, String answer) {
  /// Where a figure is found.
  ///
  /// @param scenario the scenario of the run
  /// @param figure the name of the figure in `run.json`; `*` stands for any text
  public record Source(String scenario, String figure) {
    /// Whether a figure of a scenario is meant.
    public boolean matches(String ran, String name) {
      String pattern = "\\Q" + figure.replace("*", "\\E.*\\Q") + "\\E";
      return scenario.equals(ran) && name.matches(pattern);
    }
  }

  /// The letter of the document.
  public String document() {
    return id.substring(0, 1);
  }

  /// Whether a run of that scenario may answer the row.
  public boolean isAnsweredBy(String scenario) {
    return figures.stream().anyMatch(source -> source.scenario().equals(scenario));
  }
}
