/// Database servers for tests: PostgreSQL, and MariaDB if its programs are on the class path.
@NullMarked
package im.zonda.testkit.database;

import org.jspecify.annotations.NullMarked;
