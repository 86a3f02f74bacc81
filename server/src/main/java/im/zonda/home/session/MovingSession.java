package im.zonda.home.session;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedSet;

/// A session that moves to another node, or a copy of one for the case that its node dies. What its
/// client has sent may still be on its way through the server; the count follows the session
/// ([im.zonda.node.stanza.StanzaForwarder#handled]).
///
/// @param session the session; its time runs from now on
/// @param received how many stanzas of the client have arrived; [#UNKNOWN] in a copy
/// @param pending the numbers of those that have not been handled
/// @param known if the client may have been sent more than this says: up to which number it was
///   sent what this says ([Outgoing#known])
/// @param doubtSince if a home that has died may have handled what this does not count: since when,
///   in ms since 1970 ([Management#doubtSince()])
public record MovingSession(
    SavedSession session,
    long received,
    SortedSet<Long> pending,
    OptionalLong known,
    OptionalLong doubtSince) {
  private static final long UNKNOWN = -1;

  /// A session of which all is known.
  public static MovingSession at(SavedSession session) {
    return new MovingSession(
        session,
        session.handled(),
        Collections.emptySortedSet(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /// A copy of a session, for the case that its home dies: what the client sends meanwhile is in no
  /// copy.
  public static MovingSession copy(
      SavedSession session, OptionalLong known, OptionalLong doubtSince) {
    return new MovingSession(session, UNKNOWN, Collections.emptySortedSet(), known, doubtSince);
  }

  /// The same, which has come to a home that a node had which is gone.
  public MovingSession inDoubt(OptionalLong since) {
    return new MovingSession(session, received, pending, known, since);
  }

  /// Whether it is a copy.
  public boolean isCopy() {
    return received == UNKNOWN;
  }
}
