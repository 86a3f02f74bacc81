/// Streams of clients that have a bound resource.
///
/// [im.zonda.stream.bound.BoundStream] passes stanzas to the session by its
/// [im.zonda.stream.bound.SessionLink], and [im.zonda.stream.bound.StreamManagement] acknowledges
/// them (XEP-0198).
@NullMarked
package im.zonda.stream.bound;

import org.jspecify.annotations.NullMarked;
