/// The cluster engine on Infinispan and JGroups: one channel, the segments of one distributed
/// cache, frames over a fork of the channel. Nothing here runs on the threads of a client's
/// connection, and no class is loaded by a server that is no node of a cluster.
@NullMarked
package im.zonda.cluster.infinispan;

import org.jspecify.annotations.NullMarked;
