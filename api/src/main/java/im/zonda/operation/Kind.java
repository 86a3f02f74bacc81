package im.zonda.operation;

/// How far an operation changes something.
public enum Kind {
  /// It changes nothing.
  READ,
  /// It changes something that can be changed back.
  CHANGE,
  /// What it removes cannot be restored.
  DESTROY
}
