package im.zonda.net.http;

import im.zonda.net.AcceptedChannel;
import im.zonda.net.tls.TlsHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for the TLS handshake of a connection, then adds the handlers of the protocol that it has
/// chosen (ALPN, RFC 7301): HTTP/2 or, also for clients without ALPN, HTTP/1.1. Confined to the
/// event loop.
@SuppressWarnings("FutureReturnValueIgnored") // there is nothing left to do
final class ProtocolChoice extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolChoice.class);

  private final HttpServer server;
  private final AcceptedChannel accepted;

  ProtocolChoice(HttpServer server, AcceptedChannel accepted) {
    this.server = server;
    this.accepted = accepted;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.read();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
      choose(ctx);
    }
  }

  private void choose(ChannelHandlerContext ctx) {
    TlsHandler tls = TlsHandler.of(ctx.channel());
    switch (tls == null ? "" : tls.engine().getApplicationProtocol()) {
      case ApplicationProtocolNames.HTTP_2 -> Http2Handlers.add(server, accepted);
      case "", ApplicationProtocolNames.HTTP_1_1 -> {
        HttpConnection connection = server.addHttp1(accepted);
        connection.channelActive(ctx.pipeline().context(connection));
      }
      // A certificate authority has seen what it wanted to see (RFC 8737, section 3).
      default -> ctx.close();
    }
    ctx.pipeline().remove(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.atDebug()
        .addKeyValue("address", accepted.remoteAddress().getHostAddress())
        .setCause(cause)
        .log("http_connection_failed");
    ctx.close();
  }
}
