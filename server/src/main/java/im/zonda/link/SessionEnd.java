package im.zonda.link;

/// The end of a link at the account's home, as the stream sees it.
@FunctionalInterface
public interface SessionEnd {
  /// Handles a value, after those before it. Called by the stream's thread only; returns at once.
  void receive(ToSession value);

  /// No [ToSession.Written] follows: the last call, after [ToSession.Lost] or [ToSession.Ended].
  default void outputEnded() {}
}
