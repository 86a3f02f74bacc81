package im.zonda.http;

import java.io.IOException;

/// Answers requests of a route. Called on a virtual thread: may block.
@FunctionalInterface
public interface HttpHandler {
  /// Answers a request.
  ///
  /// @throws HttpException to answer with an error
  /// @throws IOException if the client is gone, or if something could not be read, which is
  ///   answered with 500
  HttpResponse handle(HttpRequest request) throws IOException;
}
