/// How much each domain has in the database.
@NullMarked
package im.zonda.storage.sql.size;

import org.jspecify.annotations.NullMarked;
