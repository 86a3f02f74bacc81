/// Comparisons: of two servers or builds by turns, of the files of two runs, and of many runs over
/// time.
@NullMarked
package im.zonda.bench.compare;

import org.jspecify.annotations.NullMarked;
