/// The stream of a client, from its header to its end (RFC 6120, sections 4 to 7). No sockets here.
@NullMarked
package im.zonda.stream;

import org.jspecify.annotations.NullMarked;
