/// Authentication with SASL (RFC 4422, RFC 6120 section 6): mechanisms, exchanges, tokens.
///
/// An exchange ([im.zonda.stream.sasl.SaslExchange]) is one attempt with one mechanism, whichever
/// profile carries its messages. Only what was offered on the stream is accepted
/// ([im.zonda.stream.sasl.SaslOffer]). Lookups and password checks run on threads that may block.
///
/// An answer does not tell whether an account exists: unknown names are led through the same
/// exchange with made-up keys, and failures of any kind are delayed alike
/// ([im.zonda.stream.sasl.LoginAttempts], by the rules of [im.zonda.throttle.LoginThrottle]).
@NullMarked
package im.zonda.stream.sasl;

import org.jspecify.annotations.NullMarked;
