/// Tests of backups of databases.
@NullMarked
package im.zonda.storage.sql.backup;

import org.jspecify.annotations.NullMarked;
