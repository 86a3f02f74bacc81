/// BOSH: streams of clients that are carried by requests of HTTP (XEP-0124, XEP-0206).
///
/// A [im.zonda.net.bosh.BoshSession] is a state machine for the order of requests and responses,
/// without streams and threads. [im.zonda.net.bosh.BoshStream] connects it with the same
/// [im.zonda.stream.Stream] as TCP and WebSocket use. [im.zonda.net.bosh.BoshSessions] knows all
/// sessions by their identifiers, and [im.zonda.net.bosh.BoshHandler] answers requests: it blocks
/// its virtual thread until the session has a response.
///
/// *Limits.* A session keeps as many requests and as many responses as its client may have open
/// ([im.zonda.config.limits.BoshLimits]), each with a bounded size, and `limits.outbound-bytes`
/// that wait. New sessions have the limits of new connections.
@NullMarked
package im.zonda.net.bosh;

import org.jspecify.annotations.NullMarked;
