package im.zonda.router;

import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The stanzas that were sent on a managed stream and that the client has not acknowledged, oldest
/// first (XEP-0198, section 4). Belongs to one session and is guarded by it.
///
/// Bounded in stanzas and bytes; all sessions together are bounded by a [Budget].
final class Unacknowledged {
  /// About what an entry costs beside the stanza's bytes.
  static final int OVERHEAD = 200;

  private static final long MODULUS = 1L << 32;

  /// A stanza that was sent. While it waits for long it is kept as its bytes alone.
  static final class Sent {
    private final @Nullable Runnable left;
    private final int size;

    /// A Stanza, or the bytes of one.
    private Object content;

    /// @param left runs when the client has acknowledged it, or null
    /// @param size what it counts against the budget
    Sent(Stanza stanza, @Nullable Runnable left, int size) {
      this.content = stanza;
      this.left = left;
      this.size = size;
    }

    @Nullable Runnable left() {
      return left;
    }

    Stanza stanza() {
      return content instanceof Stanza stanza ? stanza : unpacked((byte[]) content);
    }

    private void pack() {
      if (content instanceof Stanza stanza) {
        ByteArraySink sink = new ByteArraySink(stanza.writtenSize() + 16);
        stanza.writeTo(sink);
        content = sink.toByteArray();
      }
    }

    private static Stanza unpacked(byte[] bytes) {
      try {
        String xml = new String(bytes, StandardCharsets.UTF_8);
        return Stanza.of(XmlParser.frame(xml, Namespaces.CLIENT));
      } catch (XmlException | StanzaFormatException e) {
        throw new IllegalStateException("what was written cannot be read", e);
      }
    }
  }

  /// What the client's count says.
  enum Answer {
    /// Stanzas up to there are acknowledged.
    TAKEN,
    /// A count from the past: it says nothing new.
    OLD,
    /// More than was sent.
    TOO_HIGH
  }

  private final ArrayDeque<Sent> queue = new ArrayDeque<>(4);
  private final Budget budget;
  private long acknowledged;
  private int bytes;

  /// Nothing yet, after `acknowledged` stanzas.
  Unacknowledged(Budget budget, long acknowledged) {
    this.budget = budget;
    this.acknowledged = acknowledged;
  }

  /// Adds a stanza; false if there is no room for it.
  boolean add(Stanza stanza, @Nullable Runnable left) {
    int size = stanza.writtenSize() + OVERHEAD;
    if (queue.size() >= budget.stanzas()
        || (bytes + size > budget.bytes() && !queue.isEmpty())
        || !budget.take(size)) {
      return false;
    }
    bytes += size;
    queue.add(new Sent(stanza, left, size));
    return true;
  }

  /// Nobody may want the stanzas for a while: they are kept in less memory.
  void pack() {
    queue.forEach(Sent::pack);
  }

  /// The same for the one that was added last.
  void packLast() {
    queue.getLast().pack();
  }

  /// Takes the client's count `h`, which is counted modulo 2 to the power of 32.
  ///
  /// @param then gets what is to be run for the stanzas that are acknowledged by it, in order
  Answer acknowledged(long h, List<Runnable> then) {
    long more = Math.floorMod(h - acknowledged, MODULUS);
    if (more > queue.size()) {
      return more < MODULUS / 2 ? Answer.TOO_HIGH : Answer.OLD;
    }
    for (long i = 0; i < more; i++) {
      Sent sent = queue.remove();
      give(sent);
      if (sent.left() != null) {
        then.add(sent.left());
      }
    }
    acknowledged += more;
    return Answer.TAKEN;
  }

  /// How many the client has acknowledged.
  long acknowledged() {
    return acknowledged;
  }

  /// How many were sent, acknowledged or not.
  long sent() {
    return acknowledged + queue.size();
  }

  /// How many wait for the client's acknowledgement.
  int size() {
    return queue.size();
  }

  /// What waits, oldest first. For reading.
  Collection<Sent> waiting() {
    return queue;
  }

  /// Takes all that waits; the session is over.
  List<Sent> drain() {
    List<Sent> all = new ArrayList<>(queue);
    queue.clear();
    all.forEach(this::give);
    return all;
  }

  private void give(Sent sent) {
    bytes -= sent.size;
    budget.give(sent.size);
  }
}
