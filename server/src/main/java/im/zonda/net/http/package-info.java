/// HTTP/1.1 on the event loops of the network (RFC 9110, RFC 9112): what `im.zonda.http` promises.
///
/// A connection has one request at a time ([im.zonda.net.http.HttpConnection]); nothing is read
/// while it is handled but its body, and that only as its handler asks. Handlers run on virtual
/// threads, the parser and all limits on the event loop.
@NullMarked
package im.zonda.net.http;

import org.jspecify.annotations.NullMarked;
