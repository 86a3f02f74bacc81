/// Stores of accounts, rosters, key-value pairs and rooms.
@NullMarked
package im.zonda.storage.sql.account;

import org.jspecify.annotations.NullMarked;
