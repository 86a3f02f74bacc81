package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Service discovery of nodes (XEP-0060, sections 5.2 to 5.5).
public final class NodeDiscovery {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  private NodeDiscovery() {}

  /// The nodes that a user may subscribe to or retrieve items from, as discovery items.
  ///
  /// @param nodes all nodes
  public static List<Element> nodes(
      NodeOwner owner, Collection<Node> nodes, Jid user, TypeFilter filter) {
    List<Element> items = new ArrayList<>();
    for (Node node : nodes) {
      if (!DerivedNode.isReserved(node.name())
          && filter.lists(node.config())
          && node.refuseAccess(owner.requester(node, user)) == null) {
        String title = node.config().value(NodeOption.TITLE);
        items.add(
            Element.builder(ITEMS, "item")
                .attribute("jid", owner.address().toString())
                .attribute("node", node.name())
                .attribute("name", title.isEmpty() ? null : title)
                .build());
      }
    }
    return items;
  }

  /// What a node is. A node that the user may not see looks like one that does not exist.
  public static IqReply info(NodeOwner owner, Jid user, String name) {
    Node node = owner.find(name);
    if (node == null || node.refuseAccess(owner.requester(node, user)) != null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    return IqReply.result(
        Element.builder(new QName(INFO, "query"))
            .attribute("node", name)
            .child(
                Element.builder(INFO, "identity")
                    .attribute("category", "pubsub")
                    .attribute("type", node.config().isCollection() ? "collection" : "leaf")
                    .build())
            .child(Element.builder(INFO, "feature").attribute("var", PubSubXml.NAMESPACE).build())
            .child(NodeForms.metadata(node))
            .build());
  }

  /// The items of a node, the newest ones if there are many.
  public static IqReply items(NodeOwner owner, Jid user, String name) {
    Node node = owner.find(name);
    if (node == null || node.refuseAccess(owner.requester(node, user)) != null) {
      return Replies.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Element.Builder items = Element.builder(new QName(ITEMS, "query")).attribute("node", name);
    if (node.refuseRetrieval(owner.requester(node, user)) == null) {
      for (String id : owner.store().newest(owner.address(), name, LISTED)) {
        items.child(
            Element.builder(ITEMS, "item")
                .attribute("jid", owner.address().toString())
                .attribute("name", id)
                .build());
      }
    }
    return IqReply.result(items.build());
  }

  private static final int LISTED = 100;
}
