/// The port to a kind of database, and what works the same on each: schema migrations and queries.
///
/// What differs from one kind of database to another is in the implementations of [Dialect] and
/// [SqlSyntax] and in the folders of `schema`. All other SQL of the stores runs on each kind.
@NullMarked
package im.zonda.storage.sql.database;

import org.jspecify.annotations.NullMarked;
