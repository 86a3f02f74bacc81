/// The figures of a run, as they are kept in a file.
@NullMarked
package im.zonda.bench.result;

import org.jspecify.annotations.NullMarked;
