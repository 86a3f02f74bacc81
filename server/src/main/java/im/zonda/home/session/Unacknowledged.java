package im.zonda.home.session;

import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The stanzas that were sent on a managed stream and that the client has not acknowledged, oldest
/// first (XEP-0198, section 4). Confined to the home's mailbox.
///
/// Bounded in stanzas, and by the session's [Share] in bytes. A chain of the stanzas themselves:
/// while nothing waits, as for most sessions most of the time, it takes no memory.
final class Unacknowledged {
  private static final long MODULUS = 1L << 32;

  /// What the client's count says.
  public enum Answer {
    /// Stanzas up to there are acknowledged.
    TAKEN,
    /// A count from the past: it says nothing new.
    OLD,
    /// More than was sent.
    TOO_HIGH
  }

  private final Share share;
  private @Nullable KeptStanza oldest;
  private @Nullable KeptStanza newest;
  private int size;
  private long acknowledged;

  /// Nothing yet, after `acknowledged` stanzas.
  Unacknowledged(Share share, long acknowledged) {
    this.share = share;
    this.acknowledged = acknowledged;
  }

  /// Adds a stanza; false if there is no room for it.
  ///
  /// @param time when it is or was sent, in ms since 1970
  public boolean add(Stanza stanza, @Nullable Runnable onAcknowledged, long time) {
    if (size >= share.stanzas()) {
      return false;
    }
    KeptStanza sent = new KeptStanza(stanza, onAcknowledged, time);
    if (!share.take(sent)) {
      return false;
    }
    if (newest == null) {
      oldest = sent;
    } else {
      newest.next = sent;
    }
    newest = sent;
    size++;
    return true;
  }

  /// Removes the oldest; null if there is none.
  private @Nullable KeptStanza poll() {
    KeptStanza first = oldest;
    if (first != null) {
      oldest = first.next;
      first.next = null;
      newest = oldest == null ? null : newest;
      size--;
      share.give(first);
    }
    return first;
  }

  /// Keeps the stanzas in less memory, as the session may have no stream for a while.
  void pack() {
    for (KeptStanza each = oldest; each != null; each = each.next) {
      each.pack();
    }
  }

  /// The same for the newest stanza.
  void packLast() {
    if (newest != null) {
      newest.pack();
    }
  }

  /// Handles the client's count `h`, which is modulo 2 to the power of 32.
  ///
  /// @param then gets what is to be run for the stanzas that are acknowledged by it, in order
  public Answer acknowledged(long h, List<Runnable> then) {
    long more = Math.floorMod(h - acknowledged, MODULUS);
    if (more > size) {
      return more < MODULUS / 2 ? Answer.TOO_HIGH : Answer.OLD;
    }
    for (long i = 0; i < more; i++) {
      KeptStanza sent = poll();
      if (sent != null && sent.onAcknowledged() != null) {
        then.add(sent.onAcknowledged());
      }
    }
    acknowledged += more;
    return Answer.TAKEN;
  }

  /// Whether the client's count `h` is above a number of what was sent.
  boolean isBeyond(long h, long number) {
    long more = Math.floorMod(h - acknowledged, MODULUS);
    return more < MODULUS / 2 && more > number - acknowledged;
  }

  /// How many the client has acknowledged.
  public long acknowledged() {
    return acknowledged;
  }

  /// How many were sent, acknowledged or not.
  public long sent() {
    return acknowledged + size;
  }

  /// How long the oldest has waited, in ms; 0 if none waits.
  public long age(long now) {
    return oldest == null ? 0 : now - oldest.time();
  }

  /// How many wait for the client's acknowledgement.
  public int size() {
    return size;
  }

  /// What waits, oldest first.
  public List<KeptStanza> waiting() {
    List<KeptStanza> all = new ArrayList<>(size);
    for (KeptStanza each = oldest; each != null; each = each.next) {
      all.add(each);
    }
    return all;
  }

  /// Takes all that waits; the session has ended.
  public List<KeptStanza> drain() {
    List<KeptStanza> all = new ArrayList<>(size);
    for (KeptStanza each = poll(); each != null; each = poll()) {
      all.add(each);
    }
    return all;
  }
}
