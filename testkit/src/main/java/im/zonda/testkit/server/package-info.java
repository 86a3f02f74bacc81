/// Whole servers in the test's own process.
@NullMarked
package im.zonda.testkit.server;

import org.jspecify.annotations.NullMarked;
