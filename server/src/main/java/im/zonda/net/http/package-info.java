/// HTTP/1.1 and HTTP/2 on the event loops of the network (RFC 9110, RFC 9112, RFC 9113): what
/// `im.zonda.http` promises.
///
/// A connection has one request at a time ([im.zonda.net.http.HttpConnection]); nothing is read
/// while it is handled but its body, and that only as its handler asks. Handlers run on virtual
/// threads, the parser and all limits on the event loop.
///
/// With TLS the client chooses the protocol ([im.zonda.net.http.ProtocolChoice]). By HTTP/2 each
/// stream is a channel of its own with the handlers of a connection by HTTP/1.1 behind a translation
/// ([im.zonda.net.http.StreamTranslation]), so that routes and limits are the same.
@NullMarked
package im.zonda.net.http;

import org.jspecify.annotations.NullMarked;
