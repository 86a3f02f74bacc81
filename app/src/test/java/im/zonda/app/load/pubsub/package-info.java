/// Loads of publish-subscribe nodes.
@NullMarked
package im.zonda.app.load.pubsub;

import org.jspecify.annotations.NullMarked;
