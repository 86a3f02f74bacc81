package im.zonda.app.status;

/// Stops the process that the server runs in, or starts the server again in it.
@FunctionalInterface
public interface ServerControl {
  /// Stops the server cleanly: sessions that can be resumed are saved. Returns at once.
  ///
  /// @param restart whether the server starts again, with its configuration read again
  void stop(boolean restart);
}
