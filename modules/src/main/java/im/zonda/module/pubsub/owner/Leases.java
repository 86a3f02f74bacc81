package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import java.util.List;

/// Ends subscriptions whose time is over (XEP-0060, section 12.18), or whose subscriber is offline.
/// Those of the first kind end when the node is used next; until then nobody can notice that they
/// are still stored.
public final class Leases {
  /// Items that are removed at a time.
  private static final int PORTION = 100;

  private Leases() {}

  /// The node without subscriptions that have ended, which is stored; their subscribers are
  /// notified.
  public static Node end(NodeOwner owner, Node node) {
    Node now = node.withoutEnded(owner.now());
    if (now.subscriptions().size() < node.subscriptions().size()) {
      owner.save(node, now);
      node.subscriptions()
          .forEach((id, each) -> {
            if (!now.subscriptions().containsKey(id)) {
              Subscription ended = each.withState(Subscription.State.NONE);
              owner.send(
                  each.subscriber(),
                  Message.Type.HEADLINE,
                  List.of(PubSubXml.subscriptionEvent(now, ended)));
            }
          });
    }
    return now;
  }

  /// A user has gone offline: temporary subscriptions end (section 12.4), and what the user has
  /// published to a node that is configured so is removed.
  ///
  /// @param from the client, or the user
  /// @param last whether the user has no other client
  public static void unavailable(NodeOwner owner, Node node, Jid from, boolean last) {
    Node after =
        node.withoutSubscriptions(each ->
            node.isTemporary(each)
                && (each.subscriber().isFull() ? each.subscriber().equals(from) : last)
                && each.isOf(from));
    if (after.subscriptions().size() < node.subscriptions().size()) {
      owner.save(node, after);
    }
    if (last && after.config().isOn(NodeOption.PURGE_OFFLINE)) {
      purge(owner, after, from.bare());
    }
  }

  private static void purge(NodeOwner owner, Node node, Jid publisher) {
    PubSubStore.Range all =
        new PubSubStore.Range(Order.MODIFICATION, null, null, publisher, null, null);
    while (true) {
      List<Item> items = owner.store().select(owner.address(), node.name(), all, false, PORTION);
      if (items == null || items.isEmpty()) {
        return;
      }
      List<String> ids = items.stream().map(Item::id).toList();
      owner.store().retract(owner.address(), node.name(), ids);
      if (node.config().isOn(NodeOption.NOTIFY_RETRACT)) {
        owner.notifyAll(node, List.of(PubSubXml.retracted(node, ids)));
      }
      owner.changed(node, NodeOwner.Change.RETRACTED);
    }
  }
}
