/// Tests of charts.
@NullMarked
package im.zonda.console.chart;

import org.jspecify.annotations.NullMarked;
