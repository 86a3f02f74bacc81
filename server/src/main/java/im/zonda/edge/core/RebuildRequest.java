package im.zonda.edge.core;

import im.zonda.config.limits.Limits;
import im.zonda.edge.ToCore;
import im.zonda.link.LostSession;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The snapshot of a session that an edge asks to recover, while its stanzas arrive. Bounded by the
/// limit of unacknowledged stanzas of a session; the largest stanza does not count. Not
/// thread-safe.
final class RebuildRequest {
  private final ToCore.Recover head;
  private final long maxBytes;
  private final List<LostSession.Sent> sent = new ArrayList<>();
  private final boolean tooMany;
  private long bytes;
  private int largest;

  RebuildRequest(ToCore.Recover head, Limits limits) {
    this.head = head;
    this.tooMany = head.unacknowledged() > limits.unacknowledgedStanzas();
    // In its frame a stanza may be larger than it is counted elsewhere.
    this.maxBytes = 2L * limits.unacknowledgedBytes() + limits.client().maxBytes();
  }

  /// Adds a stanza; returns what is wrong with it, or null.
  @Nullable String add(LostSession.Sent stanza, int size) {
    bytes += size;
    largest = Math.max(largest, size);
    if (tooMany || bytes - largest > maxBytes) {
      return "more than a client may leave unacknowledged";
    }
    sent.add(stanza);
    return null;
  }

  /// Whether all stanzas have arrived.
  boolean isComplete() {
    return sent.size() >= head.unacknowledged();
  }

  /// The session, when all stanzas have arrived.
  LostSession session() {
    return new LostSession(
        head.jid(), head.state(), head.id(), head.counts(), head.lastIds(), sent);
  }
}
