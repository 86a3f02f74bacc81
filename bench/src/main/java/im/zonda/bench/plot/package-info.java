/// Plots as SVG within a page: colours are classes of its style sheet, so that they suit light,
/// dark and print.
@NullMarked
package im.zonda.bench.plot;

import org.jspecify.annotations.NullMarked;
