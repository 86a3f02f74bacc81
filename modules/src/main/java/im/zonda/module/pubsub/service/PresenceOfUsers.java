package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.Leases;
import im.zonda.stanza.Presence;
import im.zonda.store.PubSubStore;

/// Handles the presence of users for nodes (XEP-0060, sections 6.1.7, 12.4, 12.19 and 16.4.4).
final class PresenceOfUsers {
  /// Nodes that one user's presence is brought to.
  static final int NODES = 100;

  private final ServiceNodes nodes;

  PresenceOfUsers(ServiceNodes nodes) {
    this.nodes = nodes;
  }

  /// Brings presence that comes to the service to the nodes that need it, at the home of its
  /// sender. Blocks.
  void accept(Presence presence) {
    Jid from = presence.from();
    boolean available = presence.type() == Presence.Type.AVAILABLE;
    if (from == null || (available && !from.isFull())) {
      return;
    }
    PubSubStore store = nodes.store();
    for (String node : store.presenceNodes(nodes.domain(), from.bare(), NODES)) {
      nodes.send(HomeMessage.of(node, presence, from));
    }
  }

  /// Handles presence at the home of a node. Blocks.
  void accept(HomeMessage.UserPresence presence, NodeHome home, ServiceNodeOwner owner) {
    Node node = owner.find(presence.node());
    if (node == null || !node.needsPresence()) {
      return;
    }
    Jid from = presence.from();
    if (!presence.available()) {
      boolean last = home.presence().remove(from) && !(from.isFull() && isLocal(from));
      Leases.unavailable(owner, node, from, last);
      return;
    }
    boolean answers = home.presence().isProbing(owner.now());
    if (home.presence().add(from)
        && !answers
        && node.config().value(NodeOption.SEND_LAST_PUBLISHED_ITEM).equals("on_sub_and_presence")
        && isNotified(node, from, owner)) {
      owner.sendLastItem(node, from);
    }
  }

  /// Whether the user has an account of the host, whose home says when the last client has gone:
  /// some of its clients may have been online before the node needed their presence.
  private boolean isLocal(Jid user) {
    return user.domain().equals(nodes.context().domain().domain());
  }

  private static boolean isNotified(Node node, Jid client, ServiceNodeOwner owner) {
    for (Subscription each : node.subscriptionsOf(client)) {
      boolean meant = !each.subscriber().isFull() || each.subscriber().equals(client);
      if (meant && node.notifies(each, owner.requester(node, each.subscriber()))) {
        return true;
      }
    }
    return false;
  }
}
