/// The database: its file, its schema, and the connections to it.
///
/// What differs from one kind of database to another is in [SqliteDialect] and in the folder
/// `schema`.
@NullMarked
package im.zonda.storage.sql.database;

import org.jspecify.annotations.NullMarked;
