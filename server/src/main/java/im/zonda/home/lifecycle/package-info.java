/// The life of a session: it is bound (RFC 6120, section 7), loses its stream, is resumed
/// (XEP-0198, section 5), moves to another node, is recovered when its node is lost, and ends.
///
/// [im.zonda.home.lifecycle.Sessions] is the gate for streams. It submits their values to the
/// homes; [im.zonda.home.lifecycle.SessionBinding] and [im.zonda.home.lifecycle.Resumption] handle
/// them there. [im.zonda.home.lifecycle.SessionSaving] takes sessions over restarts and to other
/// nodes; [im.zonda.home.lifecycle.SessionRecovery] recovers them from the keepers of their
/// streams. What else they have to do with other nodes is behind [im.zonda.home.recovery.Recovery].
@NullMarked
package im.zonda.home.lifecycle;

import org.jspecify.annotations.NullMarked;
