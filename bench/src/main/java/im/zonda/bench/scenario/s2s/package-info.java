/// Messages between users of two servers.
@NullMarked
package im.zonda.bench.scenario.s2s;

import org.jspecify.annotations.NullMarked;
