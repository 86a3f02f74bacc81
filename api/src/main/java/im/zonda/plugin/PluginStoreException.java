package im.zonda.plugin;

/// The database does not answer.
@Stable(since = "1.0")
public final class PluginStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param message why, in words
  public PluginStoreException(String message) {
    super(message);
  }
}
