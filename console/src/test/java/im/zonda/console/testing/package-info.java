/// What several tests of the console use.
@NullMarked
package im.zonda.console.testing;

import org.jspecify.annotations.NullMarked;
