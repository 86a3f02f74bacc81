/// Runs of scenarios: processes of the generator, phases, warm-up, merging, files.
@NullMarked
package im.zonda.bench.run;

import org.jspecify.annotations.NullMarked;
