/// Accounts of tables that other programs write.
@NullMarked
package im.zonda.provider.sql;

import org.jspecify.annotations.NullMarked;
