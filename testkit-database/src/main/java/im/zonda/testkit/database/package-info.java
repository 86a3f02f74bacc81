/// Database servers for tests: PostgreSQL, and MariaDB if its programs are on the class path; and
/// ports for servers that tests start.
@NullMarked
package im.zonda.testkit.database;

import org.jspecify.annotations.NullMarked;
