/// Complete servers in the test's process.
@NullMarked
package im.zonda.testkit.server;

import org.jspecify.annotations.NullMarked;
