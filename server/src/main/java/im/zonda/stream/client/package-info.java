/// Streams of clients (RFC 6120, sections 5 to 8).
///
/// [im.zonda.stream.client.ClientStream] is the role. Until a resource is bound,
/// [im.zonda.stream.client.Negotiation] does STARTTLS, SASL (RFC 6120, section 6, or XEP-0388), and
/// the bind; it is dropped after that, so that an idle session does not pay for it. Then
/// [im.zonda.stream.bound.BoundStream] passes stanzas to the session.
///
/// Before authentication a client may send `limits.unauthenticated-bytes` in all, in elements of at
/// most `limits.before-authentication`, and has `limits.negotiation-time` until it is bound.
@NullMarked
package im.zonda.stream.client;

import org.jspecify.annotations.NullMarked;
