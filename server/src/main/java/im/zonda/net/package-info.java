/// Listeners, TLS and connections: bytes in, bytes out. The only place with Netty.
@NullMarked
package im.zonda.net;

import org.jspecify.annotations.NullMarked;
