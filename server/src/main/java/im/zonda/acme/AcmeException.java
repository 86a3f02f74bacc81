package im.zonda.acme;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The authority has refused a request (RFC 8555, section 6.7), or has not answered as it should.
public final class AcmeException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final String type;
  private final @Nullable Duration retryAfter;

  /// @param type the type of the problem without its namespace, such as `rateLimited`; empty if
  ///   there is none
  /// @param message a sentence for the administrator
  /// @param retryAfter how long the authority wants to be left alone, or null
  AcmeException(String type, String message, @Nullable Duration retryAfter) {
    super(message);
    this.type = type;
    this.retryAfter = retryAfter;
  }

  /// A failure without a problem document.
  AcmeException(String message) {
    this("", message, null);
  }

  /// The type of the problem, such as `badNonce`; empty if there is none.
  String type() {
    return type;
  }

  /// How long the authority wants to be left alone, or null if it has not said.
  @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
