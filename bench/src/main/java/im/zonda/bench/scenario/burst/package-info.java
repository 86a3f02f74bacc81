/// Users who log in at once, talk fast and leave.
@NullMarked
package im.zonda.bench.scenario.burst;

import org.jspecify.annotations.NullMarked;
