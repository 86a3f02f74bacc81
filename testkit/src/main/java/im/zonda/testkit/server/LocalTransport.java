package im.zonda.testkit.server;

import im.zonda.stream.ChannelBinding;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.TlsStart;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// A transport whose peer is on this machine and that has no TLS: what is the same for all of them.
public interface LocalTransport extends StreamTransport {
  @Override
  default void startTls(TlsStart start) {
    throw new IllegalStateException("a local transport has no TLS");
  }

  @Override
  default void received() {}

  @Override
  default boolean secure() {
    return false;
  }

  @Override
  default boolean canStartTls() {
    return false;
  }

  @Override
  default InetAddress remoteAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  default byte @Nullable [] channelBinding(ChannelBinding kind) {
    return null;
  }
}
