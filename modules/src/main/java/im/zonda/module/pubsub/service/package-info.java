/// The publish-subscribe service of a host, at a domain of its own. Each node has a home, which is
/// where everything happens to it, in order; in a cluster the homes are spread over the nodes of
/// the cluster. What concerns several nodes of the service is read from the store, by its indexes.
@NullMarked
package im.zonda.module.pubsub.service;

import org.jspecify.annotations.NullMarked;
