/// The session of a client at the home of its account: a state machine without locks, threads or a
/// clock of its own, confined to the home's mailbox.
///
/// A [im.zonda.home.session.LocalSession] has a link to its stream, or waits for another one
/// (XEP-0198): [im.zonda.home.session.SessionPhase] has the picture of its life. It exchanges the
/// values of [im.zonda.link] with the stream and nothing else: [im.zonda.home.session.HomeLink]
/// hands each value from the stream to the mailbox, and [im.zonda.home.session.Outgoing] sends
/// stanzas to the stream in the order of the calls. What the client has not acknowledged stays
/// there in an [im.zonda.link.ack.AckQueue]; what the client has sent is counted by a
/// [im.zonda.link.ack.HandledCount].
///
/// A session that can be resumed (XEP-0198) is restored from a
/// [im.zonda.home.session.SessionSnapshot], which [im.zonda.home.session.SessionSnapshotCodec]
/// writes to the restart file, to other nodes and to replicas. The keeper of its stream stores a
/// [im.zonda.home.session.KeptState].
///
/// All sessions share a [im.zonda.home.session.Budget] of bytes that have not been acknowledged.
/// Its counters, the phases, and the sizes that are read to find the sessions that use most of it
/// are the only state that other threads see.
@NullMarked
package im.zonda.home.session;

import org.jspecify.annotations.NullMarked;
