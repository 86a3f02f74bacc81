/// Accounts and rooms from the database of an ejabberd.
@NullMarked
package im.zonda.app.transfer.ejabberd;

import org.jspecify.annotations.NullMarked;
