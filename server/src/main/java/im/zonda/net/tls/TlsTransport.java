package im.zonda.net.tls;

import im.zonda.stream.ChannelBinding;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.StreamTransport;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/// A transport on a channel of the network, which says what the TLS of its channel says.
public interface TlsTransport extends StreamTransport {
  /// The channel.
  Channel channel();

  @Override
  default @Nullable String tlsVersion() {
    return secure() ? TlsHandler.version(channel()) : null;
  }

  @Override
  default byte @Nullable [] channelBinding(ChannelBinding kind) {
    TlsHandler tls = secure() ? TlsHandler.of(channel()) : null;
    return tls == null ? null : tls.channelBinding(kind);
  }

  @Override
  default @Nullable PeerCertificates peerCertificates() {
    TlsHandler tls = secure() ? TlsHandler.of(channel()) : null;
    return tls == null ? null : tls.peerCertificates();
  }
}
