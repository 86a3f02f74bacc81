package im.zonda.module.pubsub.request;

import im.zonda.account.RemovedUser;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.PubSubStore;

/// Takes affiliations and subscriptions from users whose accounts were removed, so that the next
/// owner of the address does not have them. A node that loses its last owner is removed.
public final class RemovedSubscribers {
  private RemovedSubscribers() {}

  /// Answers the request, at the home of the node that it names.
  public static IqReply answer(Iq iq, NodeOwner owner) {
    Jid user = RemovedUser.read(iq);
    String name = iq.payload() == null ? null : iq.payload().attribute("node");
    if (user == null || name == null) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    // As it is stored: the access to some nodes is that of others.
    PubSubStore.Stored stored = owner.store().find(owner.address(), name);
    if (stored == null) {
      return IqReply.empty();
    }
    Node node = NodeRows.read(stored, owner.place().defaults());
    Node left = node.withoutUser(user);
    if (node.hasOwner() && !left.hasOwner()) {
      OwnerRequests.remove(owner, node, null);
    } else {
      owner.save(node, left);
    }
    return IqReply.empty();
  }
}
