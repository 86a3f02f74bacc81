/// Messages between parts of the server on different nodes, with a number each, so that every one
/// arrives once over changes of the placement.
@NullMarked
package im.zonda.cluster.message;

import org.jspecify.annotations.NullMarked;
