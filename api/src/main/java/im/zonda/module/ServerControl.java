package im.zonda.module;

/// Stops the process that the server runs in, or starts the server again in it.
public interface ServerControl {
  /// Whether this server can be stopped so; false within tests and other programs.
  boolean isAvailable();

  /// Stops the server cleanly: sessions that can be resumed are saved. Returns at once.
  ///
  /// @param restart whether the server starts again, with its configuration read again
  void stop(boolean restart);
}
