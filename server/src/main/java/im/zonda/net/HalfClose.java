package im.zonda.net;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/// Closes the sending side of a connection and leaves it open for what the peer still sends.
/// Closing at once could destroy output that the peer has not read.
public final class HalfClose {
  private HalfClose() {}

  /// Sends `close_notify` if there is TLS, then ends the output of the TCP connection.
  public static void send(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      shutdownOutput(channel);
    } else {
      tls.closeOutbound().addListener(sent -> shutdownOutput(channel));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // if it fails the connection is closed anyway
  private static void shutdownOutput(Channel channel) {
    if (channel.isActive() && channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }
}
