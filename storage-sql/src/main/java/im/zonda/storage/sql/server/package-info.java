/// Database servers: connections over the network, the lock that keeps a second server away, and
/// the table with the version of the schema.
@NullMarked
package im.zonda.storage.sql.server;

import org.jspecify.annotations.NullMarked;
