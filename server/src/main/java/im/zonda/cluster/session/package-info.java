/// Streams and sessions on different nodes: the channels between them, and the streams of this
/// node, which follow their sessions when homes move or are lost.
@NullMarked
package im.zonda.cluster.session;

import org.jspecify.annotations.NullMarked;
