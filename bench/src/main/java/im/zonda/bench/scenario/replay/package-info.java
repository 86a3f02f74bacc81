/// The scenario that repeats a trace of rooms.
@NullMarked
package im.zonda.bench.scenario.replay;

import org.jspecify.annotations.NullMarked;
