/// The command line. Commands know the server only as a [Program].
@NullMarked
package im.zonda.app.command;

import org.jspecify.annotations.NullMarked;
