package im.zonda.net.http;

import im.zonda.hash.HashFunction;
import im.zonda.http.HttpException;
import im.zonda.http.OriginPolicy;
import im.zonda.net.AcceptedChannel;
import im.zonda.net.websocket.WebSocketFraming;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/// The opening handshake of WebSockets (RFC 6455, section 4.2; RFC 7395, section 3.1).
final class WebSocketUpgrade {
  /// The path of WebSockets for XMPP.
  static final String PATH = "/xmpp-websocket";

  private static final String PROTOCOL = "xmpp";
  private static final String VERSION = "13";
  private static final String SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int NONCE_BYTES = 16;

  private final OriginPolicy origins;

  WebSocketUpgrade(OriginPolicy origins) {
    this.origins = origins;
  }

  /// The answer to a request, and what follows.
  ///
  /// @param mayOpen whether the page may open a stream to a domain
  record Accepted(DefaultFullHttpResponse response, Predicate<String> mayOpen) {}

  /// Whether a request is for a WebSocket, and there are any.
  boolean isFor(String path) {
    return path.equals(PATH) && origins.hosts().acceptsStreams();
  }

  /// Checks the request; returns the answer.
  ///
  /// @param domain the host of the address that is requested
  /// @throws HttpException if there is to be no WebSocket
  Accepted accept(HttpRequest request, String domain, boolean secure) {
    HttpHeaders fields = request.headers();
    if (!fields.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
        || !fields.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)) {
      throw new HttpException(426, "This address is for WebSockets");
    }
    if (!request.method().equals(HttpMethod.GET)
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || !VERSION.equals(fields.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      throw new HttpException(426, "This server speaks version 13 of the WebSocket protocol");
    }
    if (!fields.containsValue(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, PROTOCOL, false)) {
      throw new HttpException(400, "The subprotocol must be xmpp");
    }
    String own = (secure ? "https://" : "http://") + fields.get(HttpHeaderNames.HOST);
    Predicate<String> mayOpen = origins.check(domain, own, fields.get(HttpHeaderNames.ORIGIN));
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    response
        .headers()
        .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, answer(key(fields)))
        .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, PROTOCOL);
    return new Accepted(response, mayOpen);
  }

  private static String key(HttpHeaders fields) {
    List<String> keys = fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY);
    try {
      if (keys.size() == 1 && Base64.getDecoder().decode(keys.getFirst()).length == NONCE_BYTES) {
        return keys.getFirst();
      }
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "Sec-WebSocket-Key is no base64");
    }
    throw new HttpException(400, "Sec-WebSocket-Key must be 16 bytes");
  }

  private static String answer(String key) {
    return Base64.getEncoder().encodeToString(HashFunction.SHA_1.hash(key + SUFFIX));
  }

  /// Answers, and hands the connection over to the stream.
  @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
  static void complete(
      ChannelHandlerContext http,
      AcceptedChannel accepted,
      TrustedProxies.Client client,
      Accepted answer) {
    if (!accepted.mayBecomeStream()) {
      throw new HttpException(503, "This server takes no new streams at the moment");
    }
    if (!accepted.isFor(client.address())) {
      throw new HttpException(429, "There are too many connections of this address");
    }
    ChannelPipeline pipeline = http.pipeline();
    http.writeAndFlush(answer.response());
    pipeline.remove(HttpConnection.class);
    pipeline.remove(HttpResponseEncoder.class);
    accepted.becomeStream(new WebSocketFraming(answer.mayOpen()), client.secure());
    pipeline.remove(RequestDecoder.class);
  }
}
