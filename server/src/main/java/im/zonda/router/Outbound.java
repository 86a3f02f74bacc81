package im.zonda.router;

/// A sender that can be asked to stop reading from its client while too much waits. Any thread may
/// call; nothing blocks.
public interface Outbound {
  /// Stops reading from the client until [#resumeReading]; calls are counted.
  void pauseReading();

  /// Undoes one [#pauseReading].
  void resumeReading();
}
