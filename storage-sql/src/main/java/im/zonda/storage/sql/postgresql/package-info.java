/// PostgreSQL, version 14 and later.
@NullMarked
package im.zonda.storage.sql.postgresql;

import org.jspecify.annotations.NullMarked;
