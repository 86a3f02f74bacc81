/// Figures of samples, with intervals.
@NullMarked
package im.zonda.study.statistics;

import org.jspecify.annotations.NullMarked;
