/// Servers under load: where they are, how they are started, what their processes cost.
@NullMarked
package im.zonda.bench.target;

import org.jspecify.annotations.NullMarked;
