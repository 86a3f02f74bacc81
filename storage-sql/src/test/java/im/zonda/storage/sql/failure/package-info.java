/// Tests of rows that cannot be read or written, and of queries that take long: each costs only
/// itself.
@NullMarked
package im.zonda.storage.sql.failure;

import org.jspecify.annotations.NullMarked;
