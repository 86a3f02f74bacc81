/// Stores of accounts, rosters, key-value pairs, rooms and publish-subscribe nodes.
@NullMarked
package im.zonda.storage.sql.account;

import org.jspecify.annotations.NullMarked;
