/// The story of many studies: someone logs in, reads the roster and a vCard, writes to people and
/// into a room, and leaves.
@NullMarked
package im.zonda.bench.scenario.story;

import org.jspecify.annotations.NullMarked;
