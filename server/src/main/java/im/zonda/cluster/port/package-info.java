/// The contract between a node and its process: the homes of the node, the transport of frames, and
/// the fence of the database.
@NullMarked
package im.zonda.cluster.port;

import org.jspecify.annotations.NullMarked;
