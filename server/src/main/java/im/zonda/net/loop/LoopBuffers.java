package im.zonda.net.loop;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/// The buffers of the event loops.
public final class LoopBuffers {
  private static final int PAGE_BYTES = 8_192;
  private static final int CHUNK_ORDER = 7;
  private static final int SMALL_CACHED = 256;
  private static final int NORMAL_CACHED = 32;

  private LoopBuffers() {}

  /// Buffers for that many loops.
  public static ByteBufAllocator allocator(int loops) {
    return new PooledByteBufAllocator(
        true, loops, loops, PAGE_BYTES, CHUNK_ORDER, SMALL_CACHED, NORMAL_CACHED, true);
  }
}
