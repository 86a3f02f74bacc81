package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ToStream;
import im.zonda.link.ack.AckCount;
import im.zonda.link.ack.AckQueue;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamTransport;
import java.util.LinkedHashMap;
import java.util.Map;

/// The stanzas that were sent on a link and not acknowledged, and how many there were. Not
/// thread-safe.
final class SentStanzas {
  private static final class Sent extends AckQueue.Entry<Sent> {
    private final DomainPair pair;
    private final Stanza stanza;

    /// Its number in the queue of the pair.
    private final long number;

    private Sent(DomainPair pair, Stanza stanza, long number) {
      this.pair = pair;
      this.stanza = stanza;
      this.number = number;
    }
  }

  private final AckQueue<Sent> queue = new AckQueue<>(0);

  /// What had been sent before stanzas were acknowledged (XEP-0198); -1 while they are not.
  private long managedFrom = -1;

  /// Adds a stanza; returns it with its number.
  ///
  /// @param since see [ToStream.Deliver]
  ToStream.Deliver add(DomainPair pair, Stanza stanza, long number, long since) {
    queue.add(new Sent(pair, stanza, number));
    return new ToStream.Deliver(stanza, queue.sent(), managedFrom < 0, since);
  }

  /// What is sent from now on is acknowledged by the other server.
  void manage() {
    managedFrom = queue.sent();
  }

  /// Whether the other server acknowledges stanzas.
  boolean isManaged() {
    return managedFrom >= 0;
  }

  /// How many have been sent.
  long count() {
    return queue.sent();
  }

  /// How many have been sent that the other server counts.
  long countManaged() {
    return queue.sent() - managedFrom;
  }

  /// Whether there are stanzas that the other server can acknowledge.
  boolean hasUnacknowledged() {
    return queue.sent() > Math.max(managedFrom, queue.acknowledged());
  }

  /// How many stanzas the other server has, which says `h` (XEP-0198, section 4): at least as many
  /// as before; -1 if that is more than were sent.
  long countAcknowledged(long h) {
    long known = Math.max(managedFrom, queue.acknowledged()) - managedFrom;
    return switch (AckCount.of(h, known, countManaged())) {
      case VALID -> managedFrom + AckCount.number(h, known);
      case OLD -> managedFrom + known;
      case TOO_HIGH -> -1;
    };
  }

  /// Whether the bytes of the stanzas up to this one say that it has arrived.
  boolean isUnmanaged(long count) {
    return managedFrom < 0 || count <= managedFrom;
  }

  /// Whether stanzas wait for their bytes to leave.
  boolean hasUnmanaged() {
    return queue.acknowledged() < (managedFrom < 0 ? queue.sent() : managedFrom);
  }

  /// Removes the stanzas up to this one. Returns the last number of each pair.
  Map<DomainPair, Long> acknowledge(long count) {
    Map<DomainPair, Long> last = new LinkedHashMap<>();
    for (Sent first = queue.poll(count); first != null; first = queue.poll(count)) {
      last.put(first.pair, first.number);
    }
    return last;
  }

  /// Sends all that is not acknowledged again.
  void sendAgain(StreamTransport to) {
    long number = queue.acknowledged();
    for (Sent each : queue) {
      to.deliver(new ToStream.Deliver(each.stanza, ++number, false));
    }
  }

  /// Forgets them; they stay counted as sent.
  void clear() {
    acknowledge(queue.sent());
  }
}
