/// The features of the clients that send presence to accounts (XEP-0115).
@NullMarked
package im.zonda.module.pubsub.caps;

import org.jspecify.annotations.NullMarked;
