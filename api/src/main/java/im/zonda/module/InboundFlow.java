package im.zonda.module;

/// The flow of stanzas from one client's stream, which can be paused: what the client sends
/// meanwhile stays in its own connection. Any thread may call; nothing blocks.
public interface InboundFlow {
  /// Stops reading from the client until [#resumeReading]; calls are counted.
  void pauseReading();

  /// Ends one [#pauseReading].
  void resumeReading();
}
