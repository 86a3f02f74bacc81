/// The scenario of rooms with a fixed rate of messages.
@NullMarked
package im.zonda.bench.scenario.rooms;

import org.jspecify.annotations.NullMarked;
