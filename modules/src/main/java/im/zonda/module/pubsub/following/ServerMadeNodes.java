package im.zonda.module.pubsub.following;

import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.SubscriptionLists;
import im.zonda.module.pubsub.owner.NodeOwner;
import org.jspecify.annotations.Nullable;

/// The nodes that only the server makes: attachments and summaries (XEP-0470), and lists of
/// subscriptions (XEP-0465).
public final class ServerMadeNodes {
  private ServerMadeNodes() {}

  /// The node of that name as it is with its target, if it has one; any other node as it is stored.
  /// Null if there is no such node.
  ///
  /// @param stored the node as it is stored, or null
  public static @Nullable Node effective(NodeOwner owner, String name, @Nullable Node stored) {
    if (SubscriptionLists.isReserved(name)) {
      return PublicSubscribers.effective(owner, name, stored);
    }
    return stored == null ? null : Attachments.effective(owner, stored);
  }

  /// Brings an item of such a node up to date. Idempotent.
  public static void refresh(NodeOwner owner, String name, String item) {
    if (SubscriptionLists.isReserved(name)) {
      PublicSubscribers.refresh(owner, name, item);
    } else {
      Attachments.refresh(owner, name, item);
    }
  }
}
