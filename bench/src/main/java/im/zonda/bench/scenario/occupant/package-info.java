/// Occupants of rooms (XEP-0045) that repeat a trace.
@NullMarked
package im.zonda.bench.scenario.occupant;

import org.jspecify.annotations.NullMarked;
