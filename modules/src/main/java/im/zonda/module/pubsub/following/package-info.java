/// Public subscriptions to nodes (XEP-0465).
@NullMarked
package im.zonda.module.pubsub.following;

import org.jspecify.annotations.NullMarked;
