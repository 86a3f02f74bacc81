package im.zonda.net.tls;

import im.zonda.jfr.TlsHandshake;
import im.zonda.stream.ChannelBinding;
import im.zonda.stream.PeerCertificates;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// TLS of one connection: also says how much input it holds, and what the peer has presented.
public final class TlsHandler extends SslHandler {
  private final @Nullable PeerTrust trust;

  /// @param trust keeps what the peer presents; null if it is not asked for a certificate
  /// @param tasks runs the expensive steps of the handshake
  TlsHandler(SSLEngine engine, @Nullable PeerTrust trust, Executor tasks) {
    super(engine, tasks);
    this.trust = trust;
  }

  /// The TLS of a channel, or null if it has none.
  public static @Nullable TlsHandler of(Channel channel) {
    return channel.pipeline().get(TlsHandler.class);
  }

  /// Says in a recording how a handshake has ended.
  public static void record(Channel channel, SslHandshakeCompletionEvent handshake) {
    TlsHandler tls = of(channel);
    if (tls != null) {
      TlsHandshake.record(tls.engine().getSession(), handshake.cause());
    }
  }

  /// Begins TLS on a channel that has spoken in the clear (RFC 6120, section 5.4.3.3).
  public void start(Channel channel) {
    channel.pipeline().addFirst(this);
    if (!engine().getUseClientMode()) {
      channel.pipeline().addFirst(new SpaceBeforeTls());
    }
  }

  /// The channel binding data, or null if there is none of that kind. To be called after the
  /// handshake.
  public byte @Nullable [] channelBinding(ChannelBinding kind) {
    return TlsBinding.of(engine(), kind);
  }

  /// The version of TLS of a connection as in its messages, such as `0304` for TLS 1.3; null for
  /// others than 1.2 and 1.3, and before the handshake.
  public static @Nullable String version(Channel channel) {
    TlsHandler tls = of(channel);
    return switch (tls == null ? "" : tls.engine().getSession().getProtocol()) {
      case "TLSv1.3" -> "0304";
      case "TLSv1.2" -> "0303";
      default -> null;
    };
  }

  /// Whether a channel begins with TLS, and the handshake has not been done.
  public static boolean isInHandshake(Channel channel) {
    TlsHandler tls = of(channel);
    return tls == null ? DomainBeforeTls.of(channel) != null : !tls.handshakeFuture().isSuccess();
  }

  /// The bytes of the buffer that holds a record (RFC 8446, section 5.1) that is not complete; 0 if
  /// there is none.
  public static int unfinishedBytes(Channel channel) {
    TlsHandler tls = of(channel);
    if (tls == null) {
      DomainBeforeTls hello = DomainBeforeTls.of(channel);
      return hello == null ? 0 : hello.unfinishedBytes();
    }
    ByteBuf held = tls.internalBuffer();
    return held.isReadable() ? held.capacity() : 0;
  }

  /// The peer's certificates, or null if it has presented none.
  public @Nullable PeerCertificates peerCertificates() {
    PeerTrust known = trust;
    return known == null ? null : known.peer();
  }
}
