package im.zonda.cluster.frame;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The whole state of a session, or of a room's log, at one version. Only the home makes versions,
/// so of two copies the one with the higher version has everything that the other has.
///
/// @param resource null for a room
/// @param attachment the client's connection; null for a room and while there is none
/// @param handled the count of the client's stanzas that are SAFE without a gap
/// @param acked the number of stanzas that the client has acknowledged, or that have reached all
///   homes of the occupants
/// @param queue what was sent after `acked`, in order
/// @param seen the highest number of each source that was put into the queue, the least recent
///   source first
/// @param fetched whether what the database kept for the user has been put into the queue
/// @param ending whether it is over, and only the database must still get what is in the queue
public record SessionCopy(
    String id,
    String owner,
    @Nullable String resource,
    long version,
    @Nullable Attachment attachment,
    long handled,
    long acked,
    List<Delivery> queue,
    Map<String, Long> seen,
    boolean fetched,
    boolean ending) {
  /// Copies the collections.
  public SessionCopy {
    queue = List.copyOf(queue);
    seen = Collections.unmodifiableMap(new LinkedHashMap<>(seen));
  }

  /// The number of the last stanza that the client was to be sent.
  public long last() {
    return acked + queue.size();
  }
}
