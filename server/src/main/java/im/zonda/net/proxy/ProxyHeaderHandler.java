package im.zonda.net.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads the header of the PROXY protocol. The only handler of its channel until then; what follows
/// the header goes to the handlers that the receiver adds. Confined to the event loop.
@SuppressWarnings("FutureReturnValueIgnored") // there is nothing left to do
final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter {
  private static final int FIRST_BYTES = 256;

  private final ProxyHeaders owner;
  private final InetAddress proxy;
  private final ProxyHeaders.Receiver receiver;

  /// What has come; null if nothing has.
  private @Nullable ByteBuf collected;

  private @Nullable Future<?> timeout;
  private boolean over;

  ProxyHeaderHandler(ProxyHeaders owner, InetAddress proxy, ProxyHeaders.Receiver receiver) {
    this.owner = owner;
    this.proxy = proxy;
    this.receiver = receiver;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    timeout =
        ctx.executor()
            .schedule(
                () -> refuse(ctx, "the PROXY header has not come in time"),
                owner.time().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /// The connection begins for other handlers when the header has come.
  @Override
  public void channelActive(ChannelHandlerContext ctx) {}

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (over || !(message instanceof ByteBuf bytes)) {
      ReferenceCountUtil.release(message);
      return;
    }
    try {
      ByteBuf all = collect(ctx, bytes);
      ProxyHeader header = ProxyHeader.read(all);
      if (header != null) {
        collected = null; // it is the other handlers'
        accept(ctx, clientOf(header.source()), all);
      }
    } catch (MalformedHeaderException e) {
      refuse(ctx, String.valueOf(e.getMessage()));
    }
  }

  /// A header that is not complete is shorter than [ProxyHeader#MAX_BYTES]: so is what is kept,
  /// before one more read.
  private ByteBuf collect(ChannelHandlerContext ctx, ByteBuf more) {
    ByteBuf all = collected;
    if (all == null) {
      all = ctx.alloc().heapBuffer(Math.max(FIRST_BYTES, more.readableBytes()));
      collected = all;
    }
    all.writeBytes(more);
    more.release();
    return all;
  }

  /// A client on the proxy's machine is not on this one, unless the proxy is.
  private InetAddress clientOf(@Nullable InetAddress source) {
    return source == null || (source.isLoopbackAddress() && !proxy.isLoopbackAddress())
        ? proxy
        : source;
  }

  private void accept(ChannelHandlerContext ctx, InetAddress client, ByteBuf rest) {
    boolean passed = false;
    try {
      end();
      receiver.accept(client);
      if (ctx.channel().isActive()) {
        ChannelPipeline pipeline = ctx.pipeline();
        pipeline.remove(this);
        pipeline.fireChannelActive();
        if (rest.isReadable()) {
          passed = true;
          pipeline.fireChannelRead(rest);
        }
      }
    } finally {
      if (!passed) {
        rest.release();
      }
    }
  }

  private void refuse(ChannelHandlerContext ctx, String reason) {
    if (!over) {
      end();
      receiver.refused(reason);
      ctx.close();
    }
  }

  private void end() {
    over = true;
    owner.ended();
    Future<?> pending = timeout;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (!over) {
      end();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (!over) {
      end();
    }
    ByteBuf left = collected;
    collected = null;
    if (left != null) {
      left.release();
    }
  }

  /// Of failures of the network only the end is of interest: those who check whether the server is
  /// there connect, and reset the connection.
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      refuse(ctx, "a failure: " + cause);
    }
    ctx.close();
  }
}
