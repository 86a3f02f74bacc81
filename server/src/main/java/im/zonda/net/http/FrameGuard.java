package im.zonda.net.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;

/// Ends connections by HTTP/2 whose client sends many frames that carry nothing, such as PING,
/// SETTINGS, WINDOW_UPDATE and empty DATA (RFC 9113, section 10.5). Requests and bytes of bodies,
/// in both directions, entitle the client to more of them. Confined to the event loop.
final class FrameGuard extends ChannelDuplexHandler {
  /// What a client sends first, which is not in frames (RFC 9113, section 3.4).
  private static final int PREFACE_BYTES = 24;

  private static final int HEADER_BYTES = 9;
  private static final int DATA = 0;
  private static final int HEADERS = 1;

  /// The frames that are allowed at first, and the most that can be saved up.
  static final int FIRST_FRAMES = 1_000;

  private static final long MOST_FRAMES = 10_000;

  /// Bytes that entitle to one frame: some clients acknowledge every 4 KiB, twice.
  private static final int BYTES_PER_FRAME = 1_024;

  /// Frames that each request entitles to.
  private static final int REQUEST_FRAMES = 4;

  /// The least that DATA must have to cost nothing.
  private static final int MIN_DATA = 256;

  /// What the client may send, in bytes; a frame costs [#BYTES_PER_FRAME].
  private long credit = (long) FIRST_FRAMES * BYTES_PER_FRAME;

  /// How much of the current frame or of the preface is still to come.
  private int skipped = PREFACE_BYTES;

  /// How much of the header of the next frame has come, its length and its type.
  private int headerBytes;

  private int length;
  private int type;
  private boolean ended;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (ended) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof ByteBuf bytes) {
      read(bytes);
    }
    if (credit >= 0) {
      ctx.fireChannelRead(message);
      return;
    }
    ended = true;
    ReferenceCountUtil.release(message);
    ctx.fireExceptionCaught(
        Http2Exception.connectionError(
            Http2Error.ENHANCE_YOUR_CALM, "too many frames that carry nothing"));
  }

  /// Looks at the headers of frames without taking them.
  private void read(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (skipped > 0) {
        int part = Math.min(skipped, bytes.writerIndex() - at);
        skipped -= part;
        at += part;
        continue;
      }
      int next = bytes.getUnsignedByte(at++);
      if (headerBytes < 3) {
        length = (length << 8) | next;
      } else if (headerBytes == 3) {
        type = next;
      }
      headerBytes++;
      if (headerBytes == HEADER_BYTES) {
        count();
        skipped = length;
        headerBytes = 0;
        length = 0;
      }
    }
  }

  private void count() {
    if (type == HEADERS) {
      earn((long) REQUEST_FRAMES * BYTES_PER_FRAME);
    } else if (type == DATA && length >= MIN_DATA) {
      earn(length);
    } else {
      credit -= BYTES_PER_FRAME;
    }
  }

  private void earn(long bytes) {
    credit = Math.min(credit + bytes, MOST_FRAMES * BYTES_PER_FRAME);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof ByteBuf bytes) {
      earn(bytes.readableBytes());
    }
    super.write(ctx, message, promise);
  }
}
