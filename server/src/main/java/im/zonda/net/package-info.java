/// Listeners and connections: bytes in, bytes out. With `net.tls` and `net.dial` the only place
/// with Netty.
///
/// *Threads.* Each connection belongs to one event loop ([im.zonda.net.Loop]). Handshakes and other
/// expensive work run beside the loops, for one address after another.
///
/// *Output.* All output of one turn of a loop leaves a connection in one write
/// ([im.zonda.net.ConnectionOutput]); what other threads send waits in a queue
/// ([im.zonda.net.OutboundQueue]).
///
/// *Limits.* A client that does not read is disconnected with `resource-constraint` when
/// `limits.outbound-bytes` wait for it; the fullest connections are, when
/// `limits.all-outbound-bytes` wait for all ([im.zonda.net.OutboundBudget]). Elements and TLS
/// records that are not complete are bounded for all connections of a loop and charged to the
/// account or address that holds most ([im.zonda.net.InboundBudget]). Messages that were not sent
/// still wait in the log.
@NullMarked
package im.zonda.net;

import org.jspecify.annotations.NullMarked;
