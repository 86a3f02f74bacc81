/// Routing: the one look-up from a domain to its destination (RFC 6120, section 10), the error
/// replies to stanzas that reach nobody, and the form in which an envelope is written to bytes.
///
/// [im.zonda.route.Routes#route] is the way of every stanza that has left its sender's home, and of
/// everything that the server sends. Nothing else decides whether a domain is served here. A route
/// can be added and removed at any time; whatever is under way to a destination that is removed is
/// still accepted there or answered with an error, never lost.
@NullMarked
package im.zonda.route;

import org.jspecify.annotations.NullMarked;
