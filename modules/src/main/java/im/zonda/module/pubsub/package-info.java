/// Publish-subscribe (XEP-0060) and personal eventing (XEP-0163).
///
/// `node` is a node as a pure state machine, `request` answers requests and builds notifications
/// for any owner of nodes, `caps` learns what clients want, `pep` has the nodes of accounts at
/// their homes, and `service` those of a host's service, each at a home of its own.
@NullMarked
package im.zonda.module.pubsub;

import org.jspecify.annotations.NullMarked;
