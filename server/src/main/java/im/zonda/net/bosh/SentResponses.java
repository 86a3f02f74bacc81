package im.zonda.net.bosh;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The last responses of a session, for a client that asks again because it has not got them
/// (XEP-0124, section 14.3). As many as the client may have requests open.
final class SentResponses {
  /// One response.
  ///
  /// @param rid the number of its request
  /// @param key the key of its request
  /// @param number the highest number to report once the client has it, or 0
  /// @param time when it was sent, in ms
  /// @param full whether it had payloads
  record Sent(
      long rid,
      @Nullable String key,
      BoshResponse response,
      long number,
      long time,
      boolean full) {}

  private final int most;
  private final Deque<Sent> responses = new ArrayDeque<>();
  private long received;

  SentResponses(int most) {
    this.most = most;
  }

  /// Keeps a response, in place of the oldest one.
  void add(Sent sent) {
    responses.add(sent);
    if (responses.size() > most) {
      responses.remove();
    }
  }

  /// The response to that request; null if it is not kept.
  @Nullable Sent find(long rid) {
    for (Sent each : responses) {
      if (each.rid() == rid) {
        return each;
      }
    }
    return null;
  }

  /// The same, only if the request had that key.
  @Nullable Sent find(long rid, @Nullable String key) {
    Sent found = find(rid);
    return found != null && Objects.equals(found.key(), key) ? found : null;
  }

  /// The last one, or null.
  @Nullable Sent last() {
    return responses.peekLast();
  }

  /// The client has the responses up to that request; returns the number to report, or 0 if it has
  /// been reported.
  long receivedUpTo(long rid) {
    long number = 0;
    for (Sent each : responses) {
      if (each.rid() <= rid) {
        number = Math.max(number, each.number());
      }
    }
    if (number <= received) {
      return 0;
    }
    received = number;
    return number;
  }

  /// The bytes that are kept.
  long bytes() {
    long sum = 0;
    for (Sent each : responses) {
      sum += each.response().body().length;
    }
    return sum;
  }
}
