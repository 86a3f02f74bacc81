/// Scenarios, their options and plans, and their surroundings while they run.
@NullMarked
package im.zonda.bench.load;

import org.jspecify.annotations.NullMarked;
