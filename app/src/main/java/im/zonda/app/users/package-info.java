/// What the commands for accounts need: the store or the running server, passwords, lists.
@NullMarked
package im.zonda.app.users;

import org.jspecify.annotations.NullMarked;
