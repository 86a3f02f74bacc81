/// The stores on an SQL database: SQLite.
///
/// [SqlStores] opens them. All changes go through one writer thread that commits them in groups
/// (`GroupCommit`); a few reader threads answer queries. What differs from database to database is
/// in `SqliteDialect` and the folder `schema`.
@NullMarked
package im.zonda.storage.sql;

import org.jspecify.annotations.NullMarked;
