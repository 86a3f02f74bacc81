/// The configuration of an edge, which has a file of its own.
@NullMarked
package im.zonda.config.edge;

import org.jspecify.annotations.NullMarked;
