/// The command `zonda doctor`.
@NullMarked
package im.zonda.app.doctor.command;

import org.jspecify.annotations.NullMarked;
