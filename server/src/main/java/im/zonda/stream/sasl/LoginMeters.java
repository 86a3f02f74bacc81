package im.zonda.stream.sasl;

import im.zonda.metric.Counter;
import im.zonda.metric.Timing;

/// Counters and times of logins with a password or a token. Any thread may count and read.
public final class LoginMeters {
  private final Counter succeeded = new Counter();
  private final Counter failed = new Counter();
  private final Timing time = new Timing();

  /// Attempts whose proof was right.
  public Counter succeeded() {
    return succeeded;
  }

  /// Attempts whose proof was wrong.
  public Counter failed() {
    return failed;
  }

  /// From the request to authenticate to the answer that it has succeeded, with what the client
  /// takes for its part.
  public Timing time() {
    return time;
  }
}
