/// The message archive against a whole server.
@NullMarked
package im.zonda.app.archive;

import org.jspecify.annotations.NullMarked;
