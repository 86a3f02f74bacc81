/// Connections between edges and their core: frames over TLS with certificates on both sides.
@NullMarked
package im.zonda.net.edge;

import org.jspecify.annotations.NullMarked;
