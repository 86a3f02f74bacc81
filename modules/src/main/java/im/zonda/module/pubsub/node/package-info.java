/// A publish-subscribe node as a pure state machine: its configuration, who may do what, and its
/// subscriptions (XEP-0060, section 4). Nothing here knows stores, stanzas or time.
@NullMarked
package im.zonda.module.pubsub.node;

import org.jspecify.annotations.NullMarked;
