/// The port to a kind of database, and what works the same on each: schema migrations and queries.
///
/// The differences between kinds of databases are in the implementations of [Dialect] and
/// [SqlSyntax] and in the folders of `schema`. All other SQL of the stores runs on each kind.
@NullMarked
package im.zonda.storage.sql.database;

import org.jspecify.annotations.NullMarked;
