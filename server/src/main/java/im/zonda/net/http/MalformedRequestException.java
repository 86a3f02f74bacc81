package im.zonda.net.http;

import java.io.Serial;

/// A request by HTTP/2 that is none (RFC 9113, section 8.1.1); its stream is reset.
final class MalformedRequestException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  /// @param message what is wrong
  MalformedRequestException(String message) {
    super(message, null, false, false);
  }
}
