package im.zonda.testkit.scenario;

/// A scenario file cannot be read; the message names file and line.
public final class ScenarioSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ScenarioSyntaxException(String source, int line, String message) {
    super(source + ":" + line + ": " + message);
  }
}
