/// The kinds of load.
@NullMarked
package im.zonda.bench.scenario;

import org.jspecify.annotations.NullMarked;
