package im.zonda.module.pubsub.request;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The nodes of an account or a service at the home where they are handled. Confined to that home;
/// everything may block.
public interface NodeOwner {
  /// What has happened to a node.
  enum Change {
    /// Items were published.
    PUBLISHED,
    /// Items were removed, by a request or because there were too many.
    RETRACTED,
    /// The node was removed.
    REMOVED,
    /// The node was configured, or access to it was changed.
    CONFIGURED
  }

  /// Limits of one owner.
  ///
  /// @param nodes the number of nodes
  /// @param items the number of items of a node
  /// @param itemBytes the size of an item's payload
  /// @param bytes the size of all items of all nodes
  /// @param subscriptions the number of subscriptions and affiliations of all nodes
  record Bounds(int nodes, int items, int itemBytes, long bytes, int subscriptions) {}

  /// The address that nodes are at, and notifications come from.
  Jid address();

  /// The stored nodes and items. Nodes are changed by [#save] and [#remove] only.
  PubSubStore store();

  /// The limits.
  Bounds bounds();

  /// The configuration of new nodes.
  NodeConfig defaults();

  /// The configuration of a new node of that name.
  default NodeConfig defaults(String node) {
    return defaults();
  }

  /// The groups that the access model `roster` can refer to.
  Set<String> groups();

  /// The node of that name, or null.
  @Nullable Node find(String name);

  /// All nodes.
  Collection<Node> nodes();

  /// Someone as the owner knows them.
  Requester requester(Jid user);

  /// Whether the user may create nodes.
  boolean mayCreate(Jid user);

  /// Stores a node, new or changed; durable when the call returns.
  ///
  /// @param before the node as it was, or null if it is new
  void save(@Nullable Node before, Node after);

  /// Removes a node with its items; durable when the call returns.
  void remove(Node node);

  /// A new identifier.
  String newId();

  /// The time.
  Instant now();

  /// Notifies everyone who gets notifications of the node, after the request has been answered.
  ///
  /// @param payloads the payloads of the message
  void notifyAll(Node node, List<Element> payloads);

  /// Has the last item of the node sent to a subscriber, after the request has been answered.
  void sendLastItem(Node node, Jid subscriber);

  /// Whether a payload may be published to a node. Called before anything is stored.
  default boolean accepts(String node, Element payload) {
    return true;
  }

  /// A request has changed a node; what it changed is stored. Called before the request is
  /// answered.
  default void changed(Node node, Change change) {}

  /// Sends a message from the address of the nodes, after the request has been answered.
  void send(Jid to, Message.Type type, List<Element> payloads);
}
