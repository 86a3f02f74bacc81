/// Test clients over sockets or in memory.
@NullMarked
package im.zonda.testkit.client;

import org.jspecify.annotations.NullMarked;
