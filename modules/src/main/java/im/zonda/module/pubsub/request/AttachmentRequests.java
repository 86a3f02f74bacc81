package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Requests that publish to nodes which only the server creates (XEP-0470).
final class AttachmentRequests {
  /// The size of what a user attaches: all attachments of an item are read when one changes.
  private static final int MAX_BYTES = 16_384 + 512;

  private final NodeOwner owner;
  private final Jid from;

  AttachmentRequests(NodeOwner owner, Jid from) {
    this.owner = owner;
    this.from = from;
  }

  /// Sections 4.3 and 4.5: creates the node if there is none. Options of the request are ignored.
  IqReply publish(String name, Element request) {
    DerivedNode derived = DerivedNode.of(name, owner.address());
    if (derived == null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    String item = derived.item();
    if (item == null) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    Node target = owner.other(derived.target());
    if (target == null || !Attachments.hasItem(owner, target, item)) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Node found = owner.find(name);
    Node node = found == null ? Attachments.create(owner, derived, target, from) : found;
    if (!node.mayPublish(from) && !target.mayPublish(from)) {
      return Replies.refuse(ErrorCondition.FORBIDDEN);
    }
    if (!Attachments.isValid(request, from)) {
      return Replies.refuse(ErrorCondition.BAD_REQUEST);
    }
    if (PubSubXml.bytes(request).length > MAX_BYTES) {
      return Replies.refuse(ErrorCondition.NOT_ACCEPTABLE, "payload-too-big");
    }
    if (found == null
        && name.getBytes(StandardCharsets.UTF_8).length > PubSubStore.MAX_NAME_BYTES) {
      return Replies.refuse(ErrorCondition.NOT_ACCEPTABLE);
    }
    if (found == null && !owner.hasRoomForAttachments(from)) {
      return Replies.refuse(ErrorCondition.POLICY_VIOLATION, "max-nodes-exceeded");
    }
    IqReply reply = new PublisherRequests(owner, from).publish(node, found == null, request);
    if (reply instanceof IqReply.Result) {
      Attachments.createSummary(owner, derived, target);
      Attachments.changed(owner, node, List.of(item));
    }
    return reply;
  }

  /// Whether only the server changes what a node has.
  static boolean isSummary(Node node, NodeOwner owner) {
    DerivedNode derived = DerivedNode.of(node.name(), owner.address());
    return derived != null && derived.isSummary();
  }
}
