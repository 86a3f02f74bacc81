package planted.operation;

/// What an operation does.
public interface Action {
  /// Does it.
  void run();
}
