/// Tests of the sizes of hosts.
@NullMarked
package im.zonda.app.size;

import org.jspecify.annotations.NullMarked;
