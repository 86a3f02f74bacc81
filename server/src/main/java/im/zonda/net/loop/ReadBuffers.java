package im.zonda.net.loop;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;

/// Allocates the buffers that sockets are read into. All are of one size: with nothing to remember
/// of a connection, those of one event loop share one handle, which saves about 100 bytes for each.
@SuppressWarnings("deprecation") // of a handle's type, which the method that is overridden returns
public final class ReadBuffers extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int BYTES = 16_384;

  private final FastThreadLocal<RecvByteBufAllocator.Handle> ofLoop =
      new FastThreadLocal<>() {
        @Override
        protected RecvByteBufAllocator.Handle initialValue() {
          return new OneSize();
        }
      };

  /// Called on the event loop of the connection, at its first read.
  @Override
  public RecvByteBufAllocator.Handle newHandle() {
    return ofLoop.get();
  }

  /// Its counts are of one read of one connection: each read resets them.
  private final class OneSize extends MaxMessageHandle {
    @Override
    public int guess() {
      return BYTES;
    }
  }
}
