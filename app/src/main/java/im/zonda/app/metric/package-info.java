/// The meters of the running server, their last day, and the operations that show them.
@NullMarked
package im.zonda.app.metric;

import org.jspecify.annotations.NullMarked;
