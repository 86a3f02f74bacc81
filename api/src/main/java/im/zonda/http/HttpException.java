package im.zonda.http;

import java.io.Serial;

/// Ends a request with an error response.
public final class HttpException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int status;

  /// @param status 400 to 599
  /// @param message a sentence for the client
  public HttpException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /// The status of the response.
  public int status() {
    return status;
  }
}
