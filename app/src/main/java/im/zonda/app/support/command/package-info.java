/// The command that writes a file for those who help.
@NullMarked
package im.zonda.app.support.command;

import org.jspecify.annotations.NullMarked;
