/// Connects to the servers of a domain: tries their addresses at short intervals and uses the first
/// connection (RFC 8305).
@NullMarked
package im.zonda.net.dial;

import org.jspecify.annotations.NullMarked;
