/// Authenticates the peers of streams with SASL (RFC 4422): mechanisms, exchanges, tokens, failed
/// attempts.
@NullMarked
package im.zonda.stream.sasl;

import org.jspecify.annotations.NullMarked;
