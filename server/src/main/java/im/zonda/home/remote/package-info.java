/// The homes of pairs of a domain served here and a remote domain: stanzas to another server wait
/// here until it has acknowledged them, and stanzas from other servers are checked and routed.
///
/// A home ([im.zonda.home.remote.DomainPairQueue]) has the queue for one pair and the state of its
/// streams. [im.zonda.home.remote.RemoteDomains] is the destination of all domains that are not
/// served here, and the gate of the streams.
///
/// A message in the queue is also an entry of the message log that waits, whose owner is the queue
/// ([im.zonda.store.RemoteQueueStore]), until the other server has acknowledged it (XEP-0198) or
/// its bytes have left. After a crash such messages are sent again, with the same id. IQ and
/// presence stanzas are in memory only.
@NullMarked
package im.zonda.home.remote;

import org.jspecify.annotations.NullMarked;
