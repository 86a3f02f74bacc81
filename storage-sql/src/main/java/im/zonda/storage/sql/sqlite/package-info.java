/// SQLite: the database file, its connections and its SQL.
@NullMarked
package im.zonda.storage.sql.sqlite;

import org.jspecify.annotations.NullMarked;
