/// Requests to publish-subscribe nodes and the notifications that they cause (XEP-0060, sections 5
/// to 8), written against [im.zonda.module.pubsub.owner.NodeOwner]: accounts and services have the
/// same.
@NullMarked
package im.zonda.module.pubsub.request;

import org.jspecify.annotations.NullMarked;
