package im.zonda.home.session;

import java.util.OptionalLong;
import java.util.SortedSet;

/// A session that moves to another node, or a copy of one for the case that its node dies. What its
/// client has sent may still be on its way through the server; the count follows the session
/// ([im.zonda.node.Nodes#handled]).
///
/// @param session the session; its time runs from now on
/// @param received how many stanzas of the client have arrived
/// @param pending the numbers of those that have not been handled
/// @param known if the client may have been sent more than this says: up to which number it was
///   sent what this says ([Outgoing#known])
public record MovingSession(
    SavedSession session, long received, SortedSet<Long> pending, OptionalLong known) {}
