/// The text of `zonda help`.
@NullMarked
package im.zonda.app.command.help;

import org.jspecify.annotations.NullMarked;
