package im.zonda.net.tls;

import im.zonda.xml.XmlChars;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Drops white space that a client sends between `<starttls/>` and its TLS handshake: there are
/// clients that end the request with a line break. Everything from the first other byte on goes to
/// TLS, which ends the connection unless it is a handshake.
final class SpaceBeforeTls extends ChannelInboundHandlerAdapter {
  /// The bytes that are dropped at most; more is left to TLS, which ends the connection.
  private static final int MAX_BYTES = 256;

  private int dropped;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ByteBuf bytes) {
      while (bytes.isReadable()
          && dropped < MAX_BYTES
          && XmlChars.isSpace(bytes.getByte(bytes.readerIndex()))) {
        bytes.skipBytes(1);
        dropped++;
      }
      if (!bytes.isReadable()) {
        bytes.release();
        return;
      }
    }
    ctx.fireChannelRead(message);
    ctx.pipeline().remove(this);
  }
}
