package im.zonda.bench.xmpp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A stream in a WebSocket (RFC 7395): a message for each element.
final class WebSocketWire extends SimpleChannelInboundHandler<TextWebSocketFrame> implements Wire {
  /// Where servers offer it, by the custom of XEP-0156.
  private static final String PATH = "/xmpp-websocket";

  private static final String FRAMING = "urn:ietf:params:xml:ns:xmpp-framing";
  private static final byte[] NAMESPACE =
      " xmlns='jabber:client'".getBytes(StandardCharsets.US_ASCII);
  private static final List<String> STANZAS = List.of("<message", "<presence", "<iq");
  private static final int HANDSHAKE_BYTES = 1 << 16;

  private final Channel channel;
  private final Connection connection;
  private final Events events;

  private WebSocketWire(Channel channel, Connection connection, Events events) {
    this.channel = channel;
    this.connection = connection;
    this.events = events;
  }

  /// Prepares a channel before it connects.
  static void add(Channel channel, Connection connection, Events events) {
    Endpoint endpoint = connection.endpoint();
    String scheme = endpoint.security() == Endpoint.Security.TLS ? "wss" : "ws";
    WebSocketClientProtocolConfig config =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri(
                scheme + "://" + endpoint.domain() + ":" + endpoint.address().getPort() + PATH)
            .subprotocol("xmpp")
            .maxFramePayloadLength(ElementCutter.MAX_BYTES)
            .build();
    channel
        .pipeline()
        .addLast(
            new HttpClientCodec(),
            new HttpObjectAggregator(HANDSHAKE_BYTES),
            new WebSocketClientProtocolHandler(config),
            new WebSocketFrameAggregator(ElementCutter.MAX_BYTES),
            new WebSocketWire(channel, connection, events));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
      events.ready(this);
    } else if (event == ClientHandshakeStateEvent.HANDSHAKE_TIMEOUT) {
      events.failed(new EOFException("no WebSocket: the server does not answer"));
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
    ByteBuf read = frame.content();
    int length = read.readableBytes();
    byte[] shared = connection.loop().readBytes();
    byte[] bytes = length <= shared.length ? shared : new byte[length];
    read.readBytes(bytes, 0, length);
    if (Markup.startsWith(bytes, 0, length, "<close")) {
      events.end();
    } else if (!Markup.startsWith(bytes, 0, length, "<open")) {
      events.element(bytes, 0, length);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    events.failed(new EOFException("the server has closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    events.failed(cause);
    var _ = context.close();
  }

  @Override
  public void openStream() {
    write(
        ("<open xmlns='"
                + FRAMING
                + "' to='"
                + connection.endpoint().domain()
                + "' version='1.0'/>")
            .getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void startTls() {
    throw new IllegalStateException("there is no STARTTLS in a WebSocket");
  }

  @Override
  public void write(byte[] xml) {
    ByteBuf text = Unpooled.wrappedBuffer(withNamespace(xml));
    var _ = channel.writeAndFlush(new TextWebSocketFrame(text), channel.voidPromise());
  }

  /// An element with the namespace that a stream on TCP has once for all.
  static byte[] withNamespace(byte[] xml) {
    for (String stanza : STANZAS) {
      if (Markup.startsWith(xml, 0, xml.length, stanza)) {
        int at = stanza.length();
        byte[] declared = Arrays.copyOf(xml, xml.length + NAMESPACE.length);
        System.arraycopy(xml, at, declared, at + NAMESPACE.length, xml.length - at);
        System.arraycopy(NAMESPACE, 0, declared, at, NAMESPACE.length);
        return declared;
      }
    }
    return xml;
  }

  @Override
  public void stopReading() {
    channel.config().setAutoRead(false);
  }

  @Override
  public void close() {
    write(("<close xmlns='" + FRAMING + "'/>").getBytes(StandardCharsets.UTF_8));
    var _ =
        channel.writeAndFlush(new CloseWebSocketFrame()).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void cut() {
    Connection.reset(channel);
  }
}
