package im.zonda.home.session;

import java.util.Collections;
import java.util.SortedSet;

/// A session that moves to another node. What its client has sent may still be on its way through
/// the server; the count follows the session ([im.zonda.node.Nodes#handled]).
///
/// @param session the session; its time runs from now on
/// @param received how many stanzas of the client have arrived; [#UNKNOWN] in a copy
/// @param pending the numbers of those that have not been handled
public record MovingSession(SavedSession session, long received, SortedSet<Long> pending) {
  private static final long UNKNOWN = -1;

  /// A copy of a session, for the case that its home dies: what the client sends meanwhile is in no
  /// copy.
  public static MovingSession copy(SavedSession session) {
    return new MovingSession(session, UNKNOWN, Collections.emptySortedSet());
  }

  /// Whether it is a copy.
  public boolean isCopy() {
    return received == UNKNOWN;
  }
}
