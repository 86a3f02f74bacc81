package im.zonda.home.recovery;

import im.zonda.home.session.AttachedReplica;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.Outgoing;
import im.zonda.home.session.SentEntries;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.home.session.SessionSnapshots;
import im.zonda.home.session.StreamManagementState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes the parts of the replica of a session, in the order in which they are to be replicated.
/// Used in the mailboxes of homes.
final class ReplicaParts {
  private final SessionSnapshotCodec codec = new SessionSnapshotCodec();
  private final SessionSnapshots snapshots;

  ReplicaParts(SessionSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  /// Removes the replica.
  static Map<String, byte @Nullable []> removal(String id) {
    Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
    for (Section each : Section.values()) {
      parts.put(each.key(id), null);
    }
    return parts;
  }

  /// Replaces the replica by the number of the last resumption, which a session whose client has
  /// not resumed it does not need. The number comes first: before the rest of the replica is gone,
  /// the client has not been told of the resumption, and the session may still be recovered from
  /// it.
  Map<String, byte @Nullable []> number(StreamManagementState management, String id) {
    Map<String, byte @Nullable []> parts = new LinkedHashMap<>();
    long number = management.resumptions();
    if (number > 0) {
      parts.put(Section.RESUMED.key(id), codec.resumed(number));
    }
    removal(id).forEach(parts::putIfAbsent);
    return parts;
  }

  /// A session without a stream; null if it cannot be resumed.
  byte @Nullable [] detached(LocalSession session) {
    SessionSnapshot snapshot = snapshots.replica(session);
    return snapshot == null ? null : codec.whole(snapshot);
  }

  /// Sections of a session with a stream in this process. A state that says that there is a stream
  /// needs the other parts, and comes last.
  Map<String, byte @Nullable []> attached(
      LocalSession session, String id, long handled, AttachedReplica copy, Set<Section> sections) {
    Map<String, byte @Nullable []> all = new LinkedHashMap<>();
    if (sections.contains(Section.QUEUE)) {
      Outgoing outgoing = session.outgoing();
      byte[] queue =
          codec.queue(
              SessionSnapshot.Sent.of(outgoing.acknowledged(), outgoing.waiting()),
              SentEntries.ofCopy(session),
              outgoing.sent(),
              session.sentValues());
      copy.queueBytes(queue.length);
      all.put(Section.QUEUE.key(id), queue);
    }
    if (sections.contains(Section.HANDLED)) {
      all.put(Section.HANDLED.key(id), codec.handled(handled));
    }
    SessionSnapshot.State state = sections.contains(Section.STATE) ? session.snapshotState() : null;
    if (state != null) {
      all.put(id, codec.attached(state, snapshots.until(), session.readsLog()));
    }
    return all;
  }
}
