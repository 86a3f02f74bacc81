/// Pairs of clients that send messages to each other.
@NullMarked
package im.zonda.bench.scenario.pair;

import org.jspecify.annotations.NullMarked;
