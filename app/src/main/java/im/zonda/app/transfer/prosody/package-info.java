/// Accounts and rooms from the data of Prosody: its files, or its database.
@NullMarked
package im.zonda.app.transfer.prosody;

import org.jspecify.annotations.NullMarked;
