/// Load from outside, with the server's cost per message.
@NullMarked
package im.zonda.testkit.load;

import org.jspecify.annotations.NullMarked;
