package im.zonda.net.http;

import im.zonda.config.limits.HttpLimits;
import im.zonda.net.AcceptedChannel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes a connection by HTTP/2 that has no streams for too long. The last handler of the
/// connection: also discards frames that are for no stream. Confined to the event loop.
@SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is cut
final class IdleTimeout extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(IdleTimeout.class);

  /// How long a client may take to read what was written before the connection is closed.
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final HttpLimits limits;
  private final AcceptedChannel accepted;
  private final Http2Connection streams;
  private @Nullable Future<?> timeout;

  IdleTimeout(HttpLimits limits, AcceptedChannel accepted, Http2Connection streams) {
    this.limits = limits;
    this.accepted = accepted;
    this.streams = streams;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    closeAfter(ctx, limits.requestTime());
    streams.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamActive(Http2Stream stream) {
            cancel();
          }

          @Override
          public void onStreamClosed(Http2Stream stream) {
            if (streams.numActiveStreams() == 0) {
              closeAfter(ctx, limits.idleTime());
            }
          }
        });
  }

  private void closeAfter(ChannelHandlerContext ctx, Duration time) {
    cancel();
    timeout = ctx.executor().schedule(() -> close(ctx), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void close(ChannelHandlerContext ctx) {
    ctx.close();
    timeout = ctx.executor().schedule(accepted::cut, LINGER.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void cancel() {
    Future<?> pending = timeout;
    timeout = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancel();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.atDebug()
        .addKeyValue("address", accepted.remoteAddress().getHostAddress())
        .setCause(cause)
        .log("http_connection_failed");
    if (!(cause instanceof Http2Exception)) {
      ctx.close(); // otherwise the codec closes it, with the reason
    }
  }
}
