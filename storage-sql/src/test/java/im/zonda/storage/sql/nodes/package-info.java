/// Tests of several nodes of a cluster on one database.
@NullMarked
package im.zonda.storage.sql.nodes;

import org.jspecify.annotations.NullMarked;
