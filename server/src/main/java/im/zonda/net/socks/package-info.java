/// The SOCKS5 bytestreams proxy (XEP-0065): listeners, and connections that are forwarded in pairs.
///
/// Everything is plain blocking code on virtual threads: a connection whose peer does not read, or
/// that is throttled, blocks the thread that reads from the other one, so that nothing is buffered
/// but one array for each direction. Nothing is read from a connection between the handshake and
/// its activation; what a client has sent early stays in the buffers of the operating system and is
/// forwarded when the stream is activated.
@NullMarked
package im.zonda.net.socks;

import org.jspecify.annotations.NullMarked;
