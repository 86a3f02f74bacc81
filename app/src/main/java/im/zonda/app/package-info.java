/// The program: entry point, wiring and the list of standard modules.
@NullMarked
package im.zonda.app;

import org.jspecify.annotations.NullMarked;
