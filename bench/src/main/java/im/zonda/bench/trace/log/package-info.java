/// Makes traces of the logs of other systems.
@NullMarked
package im.zonda.bench.trace.log;

import org.jspecify.annotations.NullMarked;
