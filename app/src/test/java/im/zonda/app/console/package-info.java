/// The admin console at a whole server: attacks, and which role may read which page.
@NullMarked
package im.zonda.app.console;

import org.jspecify.annotations.NullMarked;
