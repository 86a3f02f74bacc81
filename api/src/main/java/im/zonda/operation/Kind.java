package im.zonda.operation;

/// Degree to which an operation changes something.
public enum Kind {
  /// It changes nothing.
  READ,
  /// It changes something that can be changed back.
  CHANGE,
  /// What it removes cannot be restored.
  DESTROY
}
