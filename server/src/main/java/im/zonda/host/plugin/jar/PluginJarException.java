package im.zonda.host.plugin.jar;

/// A file is no jar of a plugin, or of one for another server.
public final class PluginJarException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param message everything that is wrong, for the operator
  public PluginJarException(String message) {
    super(message);
  }
}
