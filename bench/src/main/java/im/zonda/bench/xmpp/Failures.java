package im.zonda.bench.xmpp;

import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/// Failures in words for people.
public final class Failures {
  private Failures() {}

  /// Why something failed.
  public static String describe(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    if (message == null) {
      return cause instanceof TimeoutException
          ? "the server did not answer in time"
          : cause.getClass().getSimpleName();
    }
    return message;
  }
}
