/// Accounts for the `zonda user` commands: access to the store, password input, import lists.
@NullMarked
package im.zonda.app.users;

import org.jspecify.annotations.NullMarked;
