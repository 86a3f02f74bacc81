package im.zonda.net.local;

import im.zonda.net.AcceptedChannel;
import im.zonda.net.tls.TlsHandler;
import im.zonda.stream.TlsStart;
import io.netty.channel.Channel;
import java.net.InetAddress;

/// A connection of a program on this machine. It has no TLS, and does not become a client's stream.
///
/// @param channel the connection
record LocalChannel(Channel channel) implements AcceptedChannel {
  @Override
  public InetAddress remoteAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public boolean isFor(InetAddress client) {
    return client.equals(remoteAddress());
  }

  @Override
  public boolean isDirectTls() {
    return false;
  }

  @Override
  public TlsHandler newTls(TlsStart start) {
    throw new IllegalStateException("no TLS by a socket in the file system");
  }

  @Override
  public boolean mayBecomeStream() {
    return false;
  }

  @Override
  public void becomeStream(Framing framing, boolean secure) {
    throw new IllegalStateException("no stream by a socket in the file system");
  }

  @Override
  public void cut() {
    channel.unsafe().close(channel.newPromise());
  }
}
