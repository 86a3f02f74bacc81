/// The command `zonda import`.
@NullMarked
package im.zonda.app.transfer.command;

import org.jspecify.annotations.NullMarked;
