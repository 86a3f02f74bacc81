package im.zonda.net.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Reads the domain that a client wants (SNI) from the first message of its handshake, before TLS
/// begins: whether Java's TLS asks for a certificate is decided before it reads that message.
public final class DomainBeforeTls extends AbstractSniHandler<TlsHandler> {
  /// The most bytes of that message. Keys of post-quantum algorithms are of 1 to 2 KB.
  private static final int MOST_BYTES = 16_384;

  private final Function<@Nullable String, TlsHandler> tls;

  /// @param tls makes the TLS of a connection for a domain in lower case, or for none
  /// @param limit the most time until the message has come
  public DomainBeforeTls(Function<@Nullable String, TlsHandler> tls, Duration limit) {
    super(MOST_BYTES, limit.toMillis());
    this.tls = tls;
  }

  /// What waits for TLS on a channel; null if nothing does.
  static @Nullable DomainBeforeTls of(Channel channel) {
    return channel.pipeline().get(DomainBeforeTls.class);
  }

  /// The bytes of the buffer that holds a part of the message; 0 if there is none.
  int unfinishedBytes() {
    ByteBuf held = internalBuffer();
    return held.isReadable() ? held.capacity() : 0;
  }

  /// Nothing goes out in the clear: what is written before the handshake is not sent.
  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ReferenceCountUtil.release(message);
    promise.setFailure(new SSLException("before the handshake"));
  }

  @Override
  protected Future<TlsHandler> lookup(ChannelHandlerContext ctx, @Nullable String domain) {
    return ctx.executor()
        .newSucceededFuture(tls.apply(domain == null ? null : domain.toLowerCase(Locale.ROOT)));
  }

  @Override
  protected void onLookupComplete(
      ChannelHandlerContext ctx, @Nullable String domain, Future<TlsHandler> future) {
    ctx.pipeline().replace(this, null, future.getNow());
  }
}
