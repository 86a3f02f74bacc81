package im.zonda.module.pubsub.request;

import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.stanza.Message;
import java.util.List;

/// Ends subscriptions whose time is over (XEP-0060, section 12.18). They end when the node is used
/// next; until then nobody can notice that they are still stored.
public final class Leases {
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
}
