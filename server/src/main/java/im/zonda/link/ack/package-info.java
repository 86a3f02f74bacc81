/// The counts and queues by which two entities acknowledge each other's stanzas (XEP-0198, section
/// 4), the same for the sessions of clients, the keepers of their streams and streams between
/// servers.
///
/// Stanzas are numbered from 1 on. [im.zonda.link.ack.AckQueue] has those that were sent and not
/// acknowledged, [im.zonda.link.ack.AckCount] is the rule for the peer's counts, and
/// [im.zonda.link.ack.HandledCount] counts what was received and handled.
@NullMarked
package im.zonda.link.ack;

import org.jspecify.annotations.NullMarked;
