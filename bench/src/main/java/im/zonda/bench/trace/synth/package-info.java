/// Makes traces from a seed.
@NullMarked
package im.zonda.bench.trace.synth;

import org.jspecify.annotations.NullMarked;
