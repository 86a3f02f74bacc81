/// Loads of publish-subscribe nodes.
@NullMarked
package im.zonda.bench.pubsub;

import org.jspecify.annotations.NullMarked;
