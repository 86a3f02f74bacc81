/// MariaDB, version 10.6 and later.
@NullMarked
package im.zonda.storage.sql.mariadb;

import org.jspecify.annotations.NullMarked;
