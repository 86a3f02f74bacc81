/// A client that does what a test says, over any wire.
@NullMarked
package im.zonda.testkit.client;

import org.jspecify.annotations.NullMarked;
