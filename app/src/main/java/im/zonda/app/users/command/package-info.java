/// The commands of `zonda user`, which ask for operations on accounts and files.
@NullMarked
package im.zonda.app.users.command;

import org.jspecify.annotations.NullMarked;
