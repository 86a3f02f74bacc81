/// Load generators of others as judges: Tsung.
@NullMarked
package im.zonda.bench.judge;

import org.jspecify.annotations.NullMarked;
