package im.zonda.net;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Bound of incomplete input, stanzas and TLS records, of all connections of one event loop.
/// Confined to the loop.
///
/// Each connection is bounded by itself, but ten thousand that stop within a stanza of 256 KiB
/// would take 2.5 GiB. When all hold more than the bound, connections of the account that holds the
/// most are closed, the largest first; a connection without an account counts for its address.
final class InboundBudget {
  private final long most;
  private long held;

  /// @param most the most bytes
  InboundBudget(long most) {
    this.most = most;
  }

  /// Adds to the bytes that are held, or subtracts if negative.
  void add(int bytes) {
    held += bytes;
  }

  /// Whether all connections together hold too much.
  boolean isExceeded() {
    return held > most;
  }

  /// The bytes that are held.
  long held() {
    return held;
  }

  /// Closes connections until an eighth of the bound is free, so that the search for them, which
  /// takes time, is rare.
  void closeLargest(List<Connection> connections) {
    Map<Object, Long> byOwner = new HashMap<>();
    List<UnfinishedInput> inputs = new ArrayList<>();
    for (Connection connection : connections) {
      UnfinishedInput input = connection.unfinished;
      if (input.bytes() > 0) {
        inputs.add(input);
        byOwner.merge(input.owner(), (long) input.bytes(), Long::sum);
      }
    }
    inputs.sort(Comparator.comparingInt(UnfinishedInput::bytes).reversed());
    while (held > most - most / 8 && !byOwner.isEmpty()) {
      Object worst =
          byOwner.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      UnfinishedInput largest =
          inputs.stream().filter(each -> each.owner().equals(worst)).findFirst().orElse(null);
      if (largest == null) {
        byOwner.remove(worst);
      } else {
        byOwner.merge(worst, (long) -largest.bytes(), Long::sum);
        inputs.remove(largest);
        largest.discard();
      }
    }
  }
}
