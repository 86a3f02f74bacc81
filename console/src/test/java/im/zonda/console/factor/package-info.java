/// Tests of second factors.
@NullMarked
package im.zonda.console.factor;

import org.jspecify.annotations.NullMarked;
