/// Figures of each second, and tables and plots made from them.
@NullMarked
package im.zonda.bench.report;

import org.jspecify.annotations.NullMarked;
