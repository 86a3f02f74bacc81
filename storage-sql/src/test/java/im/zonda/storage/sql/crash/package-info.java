/// Stores in processes that are killed.
@NullMarked
package im.zonda.storage.sql.crash;

import org.jspecify.annotations.NullMarked;
