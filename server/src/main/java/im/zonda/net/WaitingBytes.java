package im.zonda.net;

/// Output that waits for one connection, as counted by its loop. Confined to the loop.
final class WaitingBytes {
  private final Loop loop;
  private long bytes;
  private boolean ended;

  WaitingBytes(Loop loop) {
    this.loop = loop;
  }

  /// Updates the loop's counters.
  ///
  /// @param hasEnded whether the stream has ended, so that nothing more is sent
  void update(long now, boolean hasEnded) {
    if (!hasEnded) {
      loop.waits(now);
    }
    if (now == bytes && hasEnded == ended) {
      return;
    }
    counter(ended).add(-bytes);
    counter(hasEnded).add(now);
    bytes = now;
    ended = hasEnded;
  }

  private LoopCounters.Counter counter(boolean ofEnded) {
    return ofEnded ? loop.counters().waitingEnded : loop.counters().waiting;
  }

  /// What waited at the last [#update].
  long bytes() {
    return bytes;
  }
}
