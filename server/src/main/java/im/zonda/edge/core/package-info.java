/// The core's side of connections with edges: the streams of clients while they negotiate, and the
/// links to their sessions afterwards.
///
/// An edge may speak for the streams that it has opened, and as the accounts that have
/// authenticated on them: it cannot bind or resume a session without the negotiation at a core,
/// except for one that it has a ticket for, and cannot have one recovered without a proof
/// ([im.zonda.edge.core.Proofs]). This is checked here only, also for homes on other nodes.
@NullMarked
package im.zonda.edge.core;

import org.jspecify.annotations.NullMarked;
