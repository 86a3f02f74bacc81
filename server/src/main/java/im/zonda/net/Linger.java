package im.zonda.net;

import io.netty.channel.Channel;

/// The time for which a connection stays open after its stream has ended, so that pending output
/// can leave and the peer can close its side. Confined to the loop.
final class Linger {
  /// How long output may take to leave, in ms.
  private static final long FLUSH_MILLIS = 5_000;

  /// How long the peer may take to close its side after that, in ms.
  private static final long CLOSE_MILLIS = 2_000;

  /// What the peer may still send.
  private static final int MAX_BYTES = 262_144;

  private long deadline;
  private int received;

  Linger(long now) {
    this.deadline = now + FLUSH_MILLIS;
  }

  /// All output has left: waits for the peer to close its side. Or it could not leave.
  @SuppressWarnings("FutureReturnValueIgnored") // there is nothing left to do
  void outputEnded(Channel channel, boolean flushed, long now) {
    if (flushed) {
      deadline = now + CLOSE_MILLIS;
      HalfClose.send(channel);
    } else {
      channel.close();
    }
  }

  /// Counts input, which is discarded; false if it is too much.
  boolean accept(int bytes) {
    received += bytes;
    return received <= MAX_BYTES;
  }

  boolean isOver(long now) {
    return now > deadline;
  }
}
