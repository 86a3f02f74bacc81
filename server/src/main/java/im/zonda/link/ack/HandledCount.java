package im.zonda.link.ack;

import java.util.BitSet;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The stanzas that a peer has sent on managed streams, and how many of them, without a gap, have
/// been handled: the `h` of the server's acknowledgements (XEP-0198, section 4).
///
/// Stanzas are numbered from 1 on, arrive in order and are finished in any order. Not thread-safe.
public final class HandledCount {
  /// How many bits of the past may be carried along before they are dropped.
  private static final int PAST = 4_096;

  private long received;
  private long handled;

  /// The stanzas that were finished before one that came earlier: bit `i` is the stanza with the
  /// number `base + i`. Null while there is none.
  private @Nullable BitSet early;

  private long base;

  /// A count that begins at `handled`.
  public HandledCount(long handled) {
    this.received = handled;
    this.handled = handled;
  }

  /// The count of a session that has moved here.
  ///
  /// @param received how many have arrived
  /// @param pending the numbers of those that have not been handled
  public HandledCount(long received, Collection<Long> pending) {
    this.received = received;
    long first = pending.stream().mapToLong(Long::longValue).min().orElse(received + 1);
    this.handled = first - 1;
    for (long number = first + 1; number <= received; number++) {
      if (!pending.contains(number)) {
        boolean _ = finished(number);
      }
    }
  }

  /// The numbers of the stanzas that have arrived and have not been handled.
  public SortedSet<Long> pending() {
    SortedSet<Long> pending = new TreeSet<>();
    for (long number = handled + 1; number <= received; number++) {
      if (isPending(number)) {
        pending.add(number);
      }
    }
    return pending;
  }

  /// Whether the stanza with that number has arrived and has not been handled.
  public boolean isPending(long number) {
    return number > handled
        && number <= received
        && (early == null || !early.get((int) (number - base)));
  }

  /// How many have arrived.
  public long received() {
    return received;
  }

  /// The stanza with that number has arrived.
  ///
  /// @throws IllegalStateException if it is not the next one
  public void arrived(long number) {
    if (number != received + 1) {
      throw new IllegalStateException("stanza " + number + " after " + received);
    }
    received = number;
  }

  /// A stanza that has arrived has been handled. True if the count has gone up.
  public boolean finished(long number) {
    if (number <= handled || number > received) {
      throw new IllegalStateException("stanza " + number + " finished twice, or not there");
    }
    if (number != handled + 1) {
      if (early == null) {
        early = new BitSet();
        base = handled;
      }
      early.set((int) (number - base));
      return false;
    }
    handled = number;
    if (early != null) {
      takeEarly(early);
    }
    return true;
  }

  private void takeEarly(BitSet finished) {
    handled = base + finished.nextClearBit((int) (handled + 1 - base)) - 1;
    int past = (int) (handled - base);
    if (finished.length() <= past + 1) {
      early = null;
    } else if (past > PAST) {
      early = finished.get(past, finished.length());
      base = handled;
    }
  }

  /// How many have been handled.
  public long handled() {
    return handled;
  }

  /// Whether all that has arrived has been handled.
  public boolean isSettled() {
    return handled == received;
  }
}
