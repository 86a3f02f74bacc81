/// What the lists of a server with many accounts cost.
@NullMarked
package im.zonda.app.scale;

import org.jspecify.annotations.NullMarked;
