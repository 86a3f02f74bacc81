/// Tests of `im.zonda.app.reach`.
@NullMarked
package im.zonda.app.reach;

import org.jspecify.annotations.NullMarked;
