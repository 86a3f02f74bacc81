/// Accounts and rooms from the database of an Openfire.
@NullMarked
package im.zonda.app.transfer.openfire;

import org.jspecify.annotations.NullMarked;
