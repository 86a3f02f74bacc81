package im.zonda.net.http;

import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.net.AcceptedChannel;
import im.zonda.net.HalfClose;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection by HTTP/1.1, or a stream of HTTP/2: one request at a time. The socket is read when
/// a request is awaited or its handler reads the body, and at no other time.
///
/// Confined to the event loop, except what is for its [Exchange].
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /// How long the connection stays open after the last response, for the client to read it.
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final HttpServer server;
  private final AcceptedChannel accepted;

  /// The requests that the connection of this stream may have besides; null by HTTP/1.1.
  private final @Nullable Semaphore streams;

  private final Deque<Object> waiting = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;

  /// The body of the request that is handled; null between requests.
  private @Nullable RequestBody body;

  /// Handles the current request, once all that one read of the socket has brought is there: a
  /// short body is, then, and need not be waited for.
  private @Nullable Runnable handler;

  private boolean lingering;
  private @Nullable Future<?> timeout;

  /// Whether the current request is counted. It counts until its handler has ended, even if the
  /// client has gone or has reset the stream before.
  private final AtomicBoolean counted = new AtomicBoolean();

  /// Whose the current request is, or the last one was.
  private volatile InetAddress client;

  /// Whether the current request counts as a connection of its client, because a proxy has
  /// forwarded it.
  private volatile boolean forwarded;

  /// A connection by HTTP/1.1.
  HttpConnection(HttpServer server, AcceptedChannel accepted) {
    this(server, accepted, null);
  }

  /// A stream of HTTP/2.
  ///
  /// @param streams the requests that the connection may have besides
  HttpConnection(HttpServer server, AcceptedChannel accepted, @Nullable Semaphore streams) {
    this.server = server;
    this.accepted = accepted;
    this.streams = streams;
    this.client = accepted.remoteAddress();
  }

  private ChannelHandlerContext context() {
    ChannelHandlerContext known = context;
    if (known == null) {
      throw new IllegalStateException("not added");
    }
    return known;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    closeAfter(server.limits().requestTime());
    ctx.read();
  }

  /// Closes the connection after that time, in place of the time before.
  void closeAfter(Duration time) {
    cancelTimeout();
    timeout =
        context()
            .executor()
            .schedule(() -> context().close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void cancelTimeout() {
    Future<?> pending = timeout;
    timeout = null;
    if (pending != null) {
      pending.cancel(false);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (lingering) {
      ReferenceCountUtil.release(message);
      return;
    }
    RequestBody current = body;
    if (current != null && current.hasEnded()) {
      waiting.add(message); // of a later request; at most what one read of the socket has brought
    } else {
      receive(ctx, message);
    }
  }

  private void receive(ChannelHandlerContext ctx, Object message) {
    if (ctx.isRemoved()) {
      ReferenceCountUtil.release(message);
      return;
    }
    RequestBody current = body;
    if (message instanceof HttpRequest head && current == null) {
      begin(ctx, head);
      current = body;
    }
    if (message instanceof HttpContent content) {
      if (current == null || content.decoderResult().isFailure()) {
        content.release();
        if (current != null) {
          current.fail("the body is no valid HTTP");
        }
        return;
      }
      current.add(content.content());
      if (content instanceof LastHttpContent) {
        current.end();
      }
    } else if (!(message instanceof HttpRequest)) {
      ReferenceCountUtil.release(message);
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest head) {
    cancelTimeout();
    if (streams != null && !streams.tryAcquire()) {
      reset(Http2Error.REFUSED_STREAM);
      return;
    }
    counted.set(true);
    client = accepted.remoteAddress();
    boolean keep = HttpUtil.isKeepAlive(head);
    boolean chunked = head.protocolVersion().equals(HttpVersion.HTTP_1_1);
    boolean expects = HttpUtil.is100ContinueExpected(head);
    RequestBody current =
        new RequestBody(
            ReceivedRequest.announcedLength(head),
            server.limits().bodyTime(),
            () -> onLoop(() -> readBody(expects)));
    body = current;
    ReceivedRequest request;
    try {
      check(head.decoderResult());
      if (head.headers().size() > server.limits().headerFields()) {
        throw new HttpException(431, "The request has too many header fields");
      }
      if (server.isForNoHost(head)) {
        Exchange exchange = new Exchange(this, server, current, !keep, chunked, expects);
        begin(() -> exchange.answerForNoHost(head));
        return;
      }
      TrustedProxies.Client from =
          server.proxies().client(accepted.remoteAddress(), accepted.isDirectTls(), head.headers());
      client = from.address();
      checkForwarded();
      request =
          ReceivedRequest.of(
              head,
              server.hosts(),
              from.secure(),
              from.address(),
              current,
              () -> server.left(this));
      if (server.upgrade().isFor(request.path())) {
        WebSocketUpgrade.complete(
            ctx, accepted, from, server.upgrade().accept(head, request.domain(), from.secure()));
        return;
      }
      countForwarded();
    } catch (HttpException e) {
      Exchange rejected = new Exchange(this, server, current, true, chunked, expects);
      start(() -> rejected.answer(rejection(e, head, current)));
      return;
    } catch (IllegalArgumentException e) {
      Exchange rejected = new Exchange(this, server, current, true, chunked, expects);
      start(() -> rejected.answer(HttpResponse.text(400, "This is no valid HTTP request.")));
      return;
    }
    Exchange exchange = new Exchange(this, server, current, !keep, chunked, expects);
    begin(() -> exchange.handle(request));
  }

  /// The answer to a request that was rejected before it had a route, which pages of other origins
  /// may read as any other if the header says what was asked for.
  private HttpResponse rejection(HttpException cause, HttpRequest head, RequestBody current) {
    HttpResponse response = HttpServer.error(cause);
    try {
      return server.failed(
          response, ReceivedRequest.of(head, server.hosts(), false, client, current, () -> {}));
    } catch (HttpException | IllegalArgumentException e) {
      return response;
    }
  }

  /// A proxy may forward what a client may not send itself.
  private void checkForwarded() {
    if (!client.equals(accepted.remoteAddress()) && !accepted.accepts(client)) {
      throw new HttpException(403, "Requests from this address are not accepted");
    }
  }

  private void countForwarded() {
    if (client.equals(accepted.remoteAddress())) {
      return; // its connection counts
    }
    if (!server.enterForwarded(client)) {
      throw new HttpException(429, "There are too many requests of this address");
    }
    forwarded = true;
  }

  /// Counts the current request and starts what handles it; ends another one if there are too many.
  private void begin(Runnable handler) {
    HttpConnection excess = server.entered(this);
    if (excess != null) {
      excess.onLoop(excess::cut);
    }
    start(handler);
  }

  /// The handler of the current request has ended. Any thread may call, more than once.
  private void leave() {
    if (counted.compareAndSet(true, false)) {
      server.left(this);
      if (forwarded) {
        forwarded = false;
        server.leaveForwarded(client);
      }
      Semaphore permits = streams;
      if (permits != null) {
        permits.release();
      }
    }
  }

  /// The client's address.
  InetAddress remoteAddress() {
    return client;
  }

  /// Closes the connection, or resets the stream, without an answer.
  private void cut() {
    if (streams == null) {
      accepted.cut();
    } else {
      reset(Http2Error.ENHANCE_YOUR_CALM);
    }
  }

  private void reset(Http2Error reason) {
    context().writeAndFlush(new DefaultHttp2ResetFrame(reason));
    context().close();
  }

  private static void check(DecoderResult result) {
    if (result.isFailure()) {
      throw switch (result.cause()) {
        case TooLongHttpLineException _ -> new HttpException(414, "The address is too long");
        case TooLongHttpHeaderException _ -> new HttpException(431, "The header is too long");
        case null, default -> new HttpException(400, "This is no valid HTTP request");
      };
    }
  }

  private void start(Runnable task) {
    handler = task;
  }

  private void startHandler() {
    Runnable task = handler;
    handler = null;
    if (task == null) {
      return;
    }
    try {
      server.workers().execute(task);
    } catch (RejectedExecutionException e) {
      leave();
      context().close(); // the server stops
    }
  }

  private void readBody(boolean expects) {
    RequestBody current = body;
    if (current == null) {
      return;
    }
    if (expects && !continued) {
      continued = true;
      context()
          .writeAndFlush(
              new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
    context().read();
  }

  /// Whether the client of the current request has been told to send its body.
  private boolean continued;

  // ---- for the current exchange, on any thread

  /// The current request was answered, or cannot be.
  ///
  /// @param goesOn whether the connection can be used again
  void answered(boolean goesOn) {
    leave();
    onLoop(() -> ended(goesOn));
  }

  /// The client is gone or too slow.
  void failed(Throwable cause) {
    LOG.atDebug()
        .addKeyValue("address", client.getHostAddress())
        .setCause(cause)
        .log("http_response_failed");
    leave();
    onLoop(context()::close);
  }

  /// What writes the response.
  ResponseWriter writer() {
    return server.writer(context().channel());
  }

  /// Runs a task on the event loop; not at all if the server has stopped.
  void onLoop(Runnable task) {
    try {
      context().executor().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().setCause(e).log("http_connection_stopped");
    }
  }

  // ---- on the event loop

  private void ended(boolean goesOn) {
    RequestBody last = body;
    body = null;
    continued = false;
    if (last != null) {
      last.release();
    }
    if (!context().channel().isActive()) {
      return;
    }
    if (streams != null) {
      if (goesOn) {
        context().close(); // both sides have ended the stream
      } else {
        reset(Http2Error.NO_ERROR); // the answer is complete without the rest of the request
      }
      return;
    }
    if (!goesOn) {
      linger();
      return;
    }
    while (body == null && !waiting.isEmpty()) {
      receiveWaiting();
    }
    if (body == null) {
      closeAfter(server.limits().idleTime());
      context().read();
    }
  }

  private void receiveWaiting() {
    Object message = waiting.remove();
    receive(context(), message);
    RequestBody begun = body;
    while (begun != null && !begun.hasEnded() && !waiting.isEmpty()) {
      receive(context(), waiting.remove());
    }
    startHandler();
  }

  /// Ends the output, and the connection when the client has ended its side.
  private void linger() {
    lingering = true;
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    closeAfter(LINGER);
    HalfClose.send(context().channel());
    context().channel().config().setAutoRead(true);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    startHandler();
    RequestBody current = body;
    if (current != null && current.readsOn()) {
      ctx.read();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancelTimeout();
    startHandler(); // it finds that the client is gone
    RequestBody current = body;
    if (current != null) {
      current.fail("the client is gone");
    }
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.atDebug()
        .addKeyValue("address", client.getHostAddress())
        .setCause(cause)
        .log("http_connection_failed");
    if (streams == null) {
      ctx.close();
    } else {
      reset(cause instanceof Http2Exception e ? e.error() : Http2Error.INTERNAL_ERROR);
    }
  }
}
