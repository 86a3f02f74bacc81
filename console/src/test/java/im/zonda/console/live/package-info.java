/// Tests of `im.zonda.console.live`.
@NullMarked
package im.zonda.console.live;

import org.jspecify.annotations.NullMarked;
