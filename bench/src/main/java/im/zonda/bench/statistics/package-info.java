/// Statistics of measurements: quantiles, ratios with intervals, the noise of a machine.
@NullMarked
package im.zonda.bench.statistics;

import org.jspecify.annotations.NullMarked;
