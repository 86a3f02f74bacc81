/// Time and identifiers that tests command.
@NullMarked
package im.zonda.testkit;

import org.jspecify.annotations.NullMarked;
