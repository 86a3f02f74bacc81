/// Clients that do what people do, one step after another: read a roster, write to someone, enter a
/// room.
@NullMarked
package im.zonda.bench.scenario.person;

import org.jspecify.annotations.NullMarked;
