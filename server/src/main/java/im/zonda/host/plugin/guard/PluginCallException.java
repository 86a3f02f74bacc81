package im.zonda.host.plugin.guard;

/// A plugin did not do what it was called for.
public final class PluginCallException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param message why, for the operator
  public PluginCallException(String message) {
    super(message);
  }
}
