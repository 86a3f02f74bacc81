/// Sizes of domains in the database.
@NullMarked
package im.zonda.storage.sql.size;

import org.jspecify.annotations.NullMarked;
