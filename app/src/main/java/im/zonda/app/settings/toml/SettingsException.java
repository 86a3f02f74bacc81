package im.zonda.app.settings.toml;

import java.util.List;
import java.util.stream.Collectors;

/// The configuration has errors.
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /// All errors.
  public SettingsException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /// All errors, in the order of the file.
  public List<Problem> problems() {
    return problems;
  }
}
