/// A network between clients and a server that breaks when a test says so.
@NullMarked
package im.zonda.testkit.relay;

import org.jspecify.annotations.NullMarked;
