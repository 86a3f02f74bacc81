/// The stores on an SQL database: SQLite, PostgreSQL or MariaDB.
///
/// [SqlStores] opens them and puts their parts together; [DatabaseMaintenance] and [DatabaseBackup]
/// are for administrators. Each package uses those before it:
///
/// - `database`: the file, its schema, connections, and the SQL of one kind of database;
/// - `copy`: copies a database to another one;
/// - `log`: the writer thread with its group commit, and the message log;
/// - `archive`: the index over the log, queries, search, and the removal of messages;
/// - `account`: accounts, rooms, rosters and values.
@NullMarked
package im.zonda.storage.sql;

import org.jspecify.annotations.NullMarked;
