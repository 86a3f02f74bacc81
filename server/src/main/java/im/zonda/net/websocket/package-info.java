/// Streams of clients on WebSockets (RFC 6455, RFC 7395): one element a message, by the same
/// connections and limits as streams on TCP.
///
/// Frames are cut and unmasked as they come; nothing is held of a message that the framer of the
/// stream does not hold too, except a short `<open/>` or `<close/>`. Extensions, such as
/// compression, are not offered.
@NullMarked
package im.zonda.net.websocket;

import org.jspecify.annotations.NullMarked;
