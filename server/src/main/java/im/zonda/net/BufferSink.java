package im.zonda.net;

import im.zonda.xml.ByteSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/// Writes into a buffer of the network. One per event loop, pointed at one buffer after another.
final class BufferSink implements ByteSink {
  private ByteBuf target = Unpooled.EMPTY_BUFFER;

  BufferSink to(ByteBuf buffer) {
    target = buffer;
    return this;
  }

  @Override
  public void put(int value) {
    target.writeByte(value);
  }

  @Override
  public void put(byte[] source, int offset, int length) {
    target.writeBytes(source, offset, length);
  }
}
