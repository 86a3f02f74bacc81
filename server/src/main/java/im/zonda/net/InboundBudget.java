package im.zonda.net;

import im.zonda.jid.Jid;
import im.zonda.session.ClientNetwork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bound of incomplete input, stanzas and TLS records, of all connections of one event loop.
/// Confined to the loop.
///
/// Each connection is bounded by itself, but ten thousand that stop within a stanza of 256 KiB
/// would take 2.5 GiB. When all hold more than the bound, connections of the account that holds the
/// most are closed, the largest first; a connection without an account counts for its address.
final class InboundBudget {
  private static final Logger LOG = LoggerFactory.getLogger(InboundBudget.class);

  private final long most;
  private long held;

  /// @param most the most bytes
  InboundBudget(long most) {
    this.most = most;
  }

  /// The connection holds `bytes` bytes now.
  void update(Connection connection, int bytes) {
    held += bytes - connection.unfinished;
    connection.unfinished = bytes;
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
  void closeLargest(List<Connection> connections, LoopCounters.Counter closed) {
    Map<Object, Long> byOwner = new HashMap<>();
    List<Connection> holding = new ArrayList<>();
    for (Connection connection : connections) {
      if (connection.unfinished > 0) {
        holding.add(connection);
        byOwner.merge(owner(connection), (long) connection.unfinished, Long::sum);
      }
    }
    holding.sort(Comparator.comparingInt((Connection each) -> each.unfinished).reversed());
    while (held > most - most / 8 && !byOwner.isEmpty()) {
      Object worst =
          byOwner.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      Connection largest =
          holding.stream().filter(each -> owner(each).equals(worst)).findFirst().orElse(null);
      if (largest == null) {
        byOwner.remove(worst);
      } else {
        byOwner.merge(worst, (long) -largest.unfinished, Long::sum);
        holding.remove(largest);
        closed.add(1);
        drop(largest);
      }
    }
  }

  private void drop(Connection connection) {
    LOG.atInfo()
        .addKeyValue("address", connection.remoteAddress().getHostAddress())
        .addKeyValue("bytes", connection.unfinished)
        .log("inbound_overflow");
    connection.dropUnfinished();
    update(connection, 0);
  }

  /// The account to which unfinished input is charged; before there is one, the address.
  private static Object owner(Connection connection) {
    Jid account = connection.stream().account();
    return account == null ? ClientNetwork.of(connection.remoteAddress()) : account;
  }
}
