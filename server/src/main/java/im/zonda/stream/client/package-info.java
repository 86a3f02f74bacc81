/// Client streams (RFC 6120, sections 4 to 7): negotiation, login, resource binding and what a
/// bound client sends.
@NullMarked
package im.zonda.stream.client;

import org.jspecify.annotations.NullMarked;
