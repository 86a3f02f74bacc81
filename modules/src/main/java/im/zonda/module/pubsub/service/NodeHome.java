package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The state in memory of one node of the service; the node itself may not exist. All of it can be
/// read again. Confined to the mailbox of the node.
final class NodeHome {
  private final Jid address;
  private final Deliveries deliveries;
  private final SubscriberPresence presence = new SubscriberPresence();
  private @Nullable Node node;
  private Instant lastUsed;

  NodeHome(Jid address, Deliveries deliveries, Instant now) {
    this.address = address;
    this.deliveries = deliveries;
    this.lastUsed = now;
  }

  /// The address of the home, which clients do not know.
  Jid address() {
    return address;
  }

  /// Messages that have to be sent.
  Deliveries deliveries() {
    return deliveries;
  }

  /// Who of the subscribers is available.
  SubscriberPresence presence() {
    return presence;
  }

  /// The node, or null if it has not been read.
  @Nullable Node node() {
    return node;
  }

  /// The node as it is stored; null if it is not known.
  void setNode(@Nullable Node stored) {
    node = stored;
  }

  void touch(Instant now) {
    lastUsed = now;
  }

  Instant lastUsed() {
    return lastUsed;
  }
}
