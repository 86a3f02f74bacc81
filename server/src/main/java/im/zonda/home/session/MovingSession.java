package im.zonda.home.session;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedSet;

/// The snapshot of a session that moves to another node, or of a replica. Stanzas of its client may
/// still be in progress at the former home, which reports them to the next one
/// ([im.zonda.cluster.forward.StanzaForwarder#handled]).
///
/// @param session the session; its time to be resumed begins now
/// @param received how many stanzas of the client have arrived; [#UNKNOWN] in a replica
/// @param pending the numbers of those that have not been handled
/// @param replicatedUpTo the highest stanza number that this snapshot is certain about; absent if
///   it is complete ([Outgoing#replicatedUpTo])
/// @param possiblyHandledSince since when a home that died may have handled stanzas that this
///   snapshot does not count, in ms since 1970 ([StreamManagementState#possiblyHandledSince()]);
///   absent if there is none
public record MovingSession(
    SavedSession session,
    long received,
    SortedSet<Long> pending,
    OptionalLong replicatedUpTo,
    OptionalLong possiblyHandledSince) {
  private static final long UNKNOWN = -1;

  /// A complete snapshot.
  public static MovingSession at(SavedSession session) {
    return new MovingSession(
        session,
        session.handled(),
        Collections.emptySortedSet(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /// The snapshot of a replica: stanzas that the client sends are in no replica.
  public static MovingSession copy(
      SavedSession session, OptionalLong replicatedUpTo, OptionalLong possiblyHandledSince) {
    return new MovingSession(
        session, UNKNOWN, Collections.emptySortedSet(), replicatedUpTo, possiblyHandledSince);
  }

  /// The same, after it has passed through a home whose node died.
  public MovingSession withPossiblyHandledSince(OptionalLong since) {
    return new MovingSession(session, received, pending, replicatedUpTo, since);
  }

  /// Whether it is the snapshot of a replica.
  public boolean isCopy() {
    return received == UNKNOWN;
  }
}
