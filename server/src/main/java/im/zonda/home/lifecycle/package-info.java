/// The life of a session: it is bound (RFC 6120, section 7), loses its stream, is resumed
/// (XEP-0198, section 5), moves to another node, is recovered when its node is lost, and ends.
///
/// [im.zonda.home.lifecycle.Sessions] is the gate for streams. It submits their values to the
/// homes; [im.zonda.home.lifecycle.SessionBinding] and [im.zonda.home.lifecycle.Resumption] handle
/// them there. [im.zonda.home.lifecycle.SessionSaving] saves sessions for a restart,
/// [im.zonda.home.lifecycle.SessionMoves] moves them between nodes, and
/// [im.zonda.home.lifecycle.SessionRecovery] recovers them from the keepers of their streams; in
/// each case [im.zonda.home.lifecycle.RestoredSessions] adds the new session to its home. What else
/// they have to do with other nodes is behind [im.zonda.home.recovery.Recovery].
@NullMarked
package im.zonda.home.lifecycle;

import org.jspecify.annotations.NullMarked;
