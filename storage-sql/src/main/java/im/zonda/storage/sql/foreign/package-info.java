/// Databases of other servers, from which accounts are imported. They are only read.
@NullMarked
package im.zonda.storage.sql.foreign;

import org.jspecify.annotations.NullMarked;
