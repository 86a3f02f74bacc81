/// The cluster that this server is a node of.
@NullMarked
package im.zonda.app.cluster;

import org.jspecify.annotations.NullMarked;
