/// What belongs to the owners of messages: accounts with their rosters and values, and rooms.
@NullMarked
package im.zonda.storage.sql.account;

import org.jspecify.annotations.NullMarked;
