/// The steps of chosen messages on their way through the server, for a while: what was decided
/// where, and when. Nothing here has the contents of messages.
@NullMarked
package im.zonda.trace;

import org.jspecify.annotations.NullMarked;
