/// Charts of what was measured: drawn by the server, so that they need no program in the browser.
@NullMarked
package im.zonda.console.chart;

import org.jspecify.annotations.NullMarked;
