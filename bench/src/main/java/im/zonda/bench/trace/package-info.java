/// Traces of chat rooms: events of players over time, recorded or made by a seed, that a load
/// repeats.
@NullMarked
package im.zonda.bench.trace;

import org.jspecify.annotations.NullMarked;
