package im.zonda.net.http;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request of a connection and its response: made and written on a worker, or, if it waits for
/// an event, written by the event loop when that has come.
final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /// What is discarded of a body that its handler has not read, so that the connection can go on.
  private static final int DISCARDED_BYTES = 65_536;

  private final HttpConnection connection;
  private final HttpServer server;
  private final RequestBody body;
  private final boolean close;
  private final boolean chunked;
  private final boolean expects;
  private boolean head;

  /// @param close whether the connection is closed after it
  /// @param chunked whether the client understands a body of unknown length
  /// @param expects whether the client waits for 100 (Continue)
  Exchange(
      HttpConnection connection,
      HttpServer server,
      RequestBody body,
      boolean close,
      boolean chunked,
      boolean expects) {
    this.connection = connection;
    this.server = server;
    this.body = body;
    this.close = close;
    this.chunked = chunked;
    this.expects = expects;
  }

  /// Answers the request. Blocks, but not while its response waits for an event.
  void handle(ReceivedRequest request) {
    head = request.method() == HttpMethod.HEAD;
    HttpResponse response;
    try {
      response = server.answer(request);
    } catch (HttpException e) {
      response = server.failed(HttpServer.error(e), request);
    } catch (IOException e) {
      LOG.atDebug()
          .addKeyValue("address", request.remoteAddress().getHostAddress())
          .setCause(e)
          .log("http_request_failed");
      response =
          server.failed(
              HttpResponse.text(body.hasEnded() ? 500 : 408, "The request failed."), request);
    } catch (RuntimeException | Error e) {
      response = failed(request, e);
    }
    if (!(response.content() instanceof HttpContent.Later(var source))) {
      answer(response);
      return;
    }
    HttpResponse first = response;
    try {
      source.whenKnown(known -> answerLater(with(first, known)));
    } catch (RuntimeException | Error e) {
      answer(failed(request, e));
    }
  }

  /// Answers a request that is for no host in particular. Blocks.
  void answerForNoHost(HttpRequest request) {
    head = request.method().name().equals("HEAD");
    answer(server.answerForNoHost(request));
  }

  private HttpResponse failed(ReceivedRequest request, Throwable cause) {
    LOG.atError().addKeyValue("path", request.path()).setCause(cause).log("http_handler_failed");
    return server.failed(
        HttpResponse.text(500, "The server has failed to answer this request."), request);
  }

  private static HttpResponse with(HttpResponse first, HttpResponse known) {
    HttpResponse all = known;
    for (HttpResponse.Header each : first.headers()) {
      all = all.with(each.name(), each.value());
    }
    return all;
  }

  /// Writes the response. Blocks.
  void answer(HttpResponse response) {
    boolean again;
    try {
      again = connection.writer().write(response, head, closes(), chunked);
      again = again && body.discard(DISCARDED_BYTES);
    } catch (IOException | RuntimeException e) {
      connection.failed(e);
      return;
    }
    connection.answered(again);
  }

  /// Whether the connection is of no use after the response.
  private boolean closes() {
    boolean readable =
        body.hasEnded()
            || (body.length() >= 0
                && body.length() <= DISCARDED_BYTES
                && (!expects || body.isTouched()));
    return close || !readable;
  }

  /// Writes the response on any thread, which is not blocked.
  private void answerLater(HttpResponse response) {
    if (body.hasEnded() && ResponseWriter.isShort(response)) {
      connection.onLoop(() -> answerAtOnce(response));
      return;
    }
    try {
      server.workers().execute(() -> answer(response));
    } catch (RejectedExecutionException e) {
      connection.failed(e); // the server stops
    }
  }

  private void answerAtOnce(HttpResponse response) {
    connection.closeAfter(server.limits().bodyTime());
    var _ =
        connection
            .writer()
            .writeShort(response, head, close)
            .addListener(written -> {
              @Nullable Throwable cause = written.cause();
              if (cause == null) {
                connection.answered(!close);
              } else {
                connection.failed(cause);
              }
            });
  }
}
