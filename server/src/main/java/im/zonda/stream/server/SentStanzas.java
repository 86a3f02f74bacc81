package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamTransport;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/// The stanzas that were sent on a link and not acknowledged, and how many there were. Not
/// thread-safe.
final class SentStanzas {
  private static final long MODULUS = 1L << 32;

  private final Queue<Sent> unacknowledged = new ArrayDeque<>();
  private long sent;
  private long acknowledged;

  /// What had been sent before stanzas were acknowledged (XEP-0198); -1 while they are not.
  private long managedFrom = -1;

  private record Sent(DomainPair pair, Stanza stanza, long number) {}

  /// Adds a stanza; returns it with its number.
  ///
  /// @param since see [ToStream.Deliver]
  ToStream.Deliver add(DomainPair pair, Stanza stanza, long number, long since) {
    sent++;
    unacknowledged.add(new Sent(pair, stanza, number));
    return new ToStream.Deliver(stanza, sent, managedFrom < 0, since);
  }

  /// What is sent from now on is acknowledged by the other server.
  void manage() {
    managedFrom = sent;
  }

  /// Whether the other server acknowledges stanzas.
  boolean isManaged() {
    return managedFrom >= 0;
  }

  /// How many have been sent.
  long count() {
    return sent;
  }

  /// How many have been sent that the other server counts.
  long countManaged() {
    return sent - managedFrom;
  }

  /// Whether there are stanzas that the other server can acknowledge.
  boolean hasUnacknowledged() {
    return sent > Math.max(managedFrom, acknowledged);
  }

  /// How many stanzas the other server has, which says `h` (XEP-0198, section 4): at least as many
  /// as before; -1 if that is more than were sent.
  long countAcknowledged(long h) {
    long known = Math.max(managedFrom, acknowledged);
    long more = Math.floorMod(h - (known - managedFrom), MODULUS);
    if (more <= sent - known) {
      return known + more;
    }
    return more < MODULUS / 2 ? -1 : known;
  }

  /// Whether the bytes of the stanzas up to this one say that it has arrived.
  boolean isUnmanaged(long count) {
    return managedFrom < 0 || count <= managedFrom;
  }

  /// Whether stanzas wait for their bytes to leave.
  boolean hasUnmanaged() {
    return acknowledged < (managedFrom < 0 ? sent : managedFrom);
  }

  /// Removes the stanzas up to this one. Returns the last number of each pair.
  Map<DomainPair, Long> acknowledge(long count) {
    Map<DomainPair, Long> last = new LinkedHashMap<>();
    for (; acknowledged < count; acknowledged++) {
      Sent first = unacknowledged.remove();
      last.put(first.pair(), first.number());
    }
    return last;
  }

  /// Sends all that is not acknowledged again.
  void sendAgain(StreamTransport to) {
    long number = acknowledged;
    for (Sent each : unacknowledged) {
      to.deliver(new ToStream.Deliver(each.stanza(), ++number, false));
    }
  }

  /// Forgets them.
  void clear() {
    unacknowledged.clear();
  }
}
