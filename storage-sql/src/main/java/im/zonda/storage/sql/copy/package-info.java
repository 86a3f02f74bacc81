/// Copies a database to another one, of any kind.
///
/// [DatabaseCopy] does it. The rows of each table in [CopiedTables] are read in the order of its
/// key, in portions ([PortionReader]); each portion is written ([RowWriter]) in a transaction that
/// also records how far the copy has got ([CopyProgress]). In the end the rows on both sides are
/// counted and summed up ([TableSum]).
@NullMarked
package im.zonda.storage.sql.copy;

import org.jspecify.annotations.NullMarked;
