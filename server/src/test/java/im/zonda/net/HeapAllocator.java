package im.zonda.net;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;

/// Gives heap buffers where direct ones are asked for, so that a test defines one kind.
abstract class HeapAllocator extends AbstractByteBufAllocator {
  HeapAllocator() {
    super(true);
  }

  @Override
  protected abstract ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity);

  @Override
  protected final ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return newHeapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public final boolean isDirectBufferPooled() {
    return false;
  }
}
