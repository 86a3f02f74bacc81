/// The commands `zonda backup` and `zonda restore`.
@NullMarked
package im.zonda.app.backup.command;

import org.jspecify.annotations.NullMarked;
