/// Streams between servers (RFC 6120; content namespace `jabber:server`): the receiving side, the
/// initiating side, and the one that verifies dialback keys. No sockets and no queues: connections
/// come from a [im.zonda.stream.server.ServerConnector], stanzas go to a
/// [im.zonda.link.ServerStreamGate].
///
/// *Proof.* A stream carries domain pairs. A pair is accepted once the other server has proved the
/// remote domain, by its certificate (XEP-0178) or by dialback (XEP-0220) where policy allows that;
/// a stanza of any other pair ends the stream. A pair is ready once the other server accepts us.
/// With XEP-0288 each implies the other way.
///
/// ```
///                    accepted: stanzas may come in
///   proof of theirs ──────────────────────────────▶  ┐
///                    ready: stanzas may go out       ├─ ServerLink ─▶ ServerStreamGate
///   proof of ours   ──────────────────────────────▶  ┘
/// ```
///
/// *Resumption* (XEP-0198, section 5). When a connection is lost, its link may wait for another one
/// ([im.zonda.stream.server.ResumableLinks]); the initiating side resumes it, before anything else
/// is sent. The other connection must prove all pairs of the link again. The link keeps the stanzas
/// that were not acknowledged; until all that came in has been handled nothing is resumed.
///
/// *Threads.* Roles run on their stream's thread. A [im.zonda.stream.server.ServerLink] may be
/// called by any thread.
@NullMarked
package im.zonda.stream.server;

import org.jspecify.annotations.NullMarked;
