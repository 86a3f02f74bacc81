package im.zonda.plugins.webhooks;

/// A file does not describe a target.
final class TargetFormatException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param message what is wrong, as a sentence without secrets
  TargetFormatException(String message) {
    super(message, null, false, false);
  }
}
