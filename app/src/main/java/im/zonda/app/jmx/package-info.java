/// Figures for tools that speak JMX (`[jmx]`), read only. Nothing of it is loaded if it is off.
@NullMarked
package im.zonda.app.jmx;

import org.jspecify.annotations.NullMarked;
