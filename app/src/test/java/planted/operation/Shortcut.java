package planted.operation;

/// Runs an action without asking who may.
public final class Shortcut {
  /// Runs it.
  public void take(Action action) {
    action.run();
  }
}
