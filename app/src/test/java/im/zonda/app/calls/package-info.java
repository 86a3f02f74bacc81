/// Calls with a real TURN server.
@NullMarked
package im.zonda.app.calls;

import org.jspecify.annotations.NullMarked;
