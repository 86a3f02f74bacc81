package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodePlace;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.stanza.Message;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.AffiliatedNode;
import im.zonda.store.PubSubStore.SubscriptionPlace;
import im.zonda.xml.Element;
import java.time.Instant;
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
  /// @param nodes the number of nodes, as [#usage] counts them
  /// @param items the number of items of a node
  /// @param itemBytes the size of an item's payload
  /// @param bytes the size of all items, as [#usage] counts it
  record Bounds(int nodes, int items, int itemBytes, long bytes) {}

  /// The address that nodes are at, and notifications come from.
  Jid address();

  /// The stored nodes and items. Nodes are changed by [#save] and [#remove] only.
  PubSubStore store();

  /// The limits.
  Bounds bounds();

  /// Where the nodes are.
  NodePlace place();

  /// The configuration of a new node of that name.
  default NodeConfig defaults(String node) {
    return place().defaults();
  }

  /// Whether the server itself uses a node of that name. To those who own all nodes it looks like
  /// an empty one before it exists: some clients add nothing to what they could not read.
  default boolean isWellKnown(String node) {
    return false;
  }

  /// The groups of a user's own roster that the access model `roster` of the user's nodes can refer
  /// to; none if the roster decides on no node here.
  Set<String> groups(Jid user);

  /// The node of that name, without subscriptions that have ended; or null.
  @Nullable Node find(String name);

  /// Another node of the same owner, also if its home is elsewhere; or null. It must not be
  /// changed.
  default @Nullable Node other(String name) {
    return find(name);
  }

  /// A subscription of a user to one of the nodes.
  record Owned(String node, Subscription subscription) {}

  /// The affiliations of a user with the nodes, in the order of the nodes' names, at most `limit`.
  ///
  /// @param after the name of the node that the first one comes after, or null
  List<AffiliatedNode> affiliations(Jid user, @Nullable String after, int limit);

  /// The number of [#affiliations].
  int countAffiliations(Jid user);

  /// The subscriptions of a user to the nodes, in the order of the nodes' names and of the
  /// identifiers, at most `limit`; also those that have ended since the node was used last.
  ///
  /// @param after the subscription that the first one comes after, or null
  List<Owned> subscriptions(Jid user, @Nullable SubscriptionPlace after, int limit);

  /// The number of [#subscriptions].
  int countSubscriptions(Jid user);

  /// What counts against the limits if that user creates a node, or has created it.
  PubSubStore.Usage usage(Jid creator);

  /// Whether a node for attachments may be created when that user attaches something.
  default boolean hasRoomForAttachments(Jid user) {
    return usage(user.bare()).nodes() < bounds().nodes();
  }

  /// Has the home of a node that is derived from another one bring it up to date for an item.
  ///
  /// @param name the name of the derived node
  /// @param item the item of its target
  default void refresh(String name, String item) {}

  /// Whether a node may have `entries` more subscriptions and affiliations together.
  boolean mayHaveMore(Node node, int entries);

  /// Sets whose request is handled, or has caused what another home asks for: the notifications
  /// count for that user. Null is no one.
  void causedBy(@Nullable Jid user);

  /// Whether a user has recently caused too many notifications, so that requests which may cause
  /// further ones are rejected.
  boolean isExhausted(Jid user);

  /// Counts work that the request which is handled has caused elsewhere, as notifications of that
  /// size.
  void charge(long bytes);

  /// Whether an owner of a node may subscribe a user who has not asked for it. Others could be sent
  /// notifications that they do not want from a server that does not know them.
  boolean mayBeSubscribed(Jid user);

  /// Whether the user has as many subscriptions as one user may have.
  boolean isFullySubscribed(Jid user);

  /// Someone as the creator of a node knows them. No other owner's roster counts: an owner who adds
  /// another one must not learn whom that one knows.
  Requester requester(Node node, Jid user);

  /// Whether the user may create nodes.
  boolean mayCreate(Jid user);

  /// Whether a node with that name is for the server itself to create.
  default boolean isReserved(String name, Jid user) {
    return false;
  }

  /// Whether the user owns every node, whatever the nodes' affiliations are.
  boolean ownsAll(Jid user);

  /// Stores a node, new or changed; durable when the call returns.
  ///
  /// @param before the former node, or null if it is new
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

  /// A user has subscribed to a node.
  default void subscribed(Node node, Jid subscriber) {}

  /// Notifies those who are subscribed to the nodes of a collection, after the request has been
  /// answered.
  ///
  /// @param collection the name of the collection
  /// @param payloads the payloads of the message
  default void notifyCollection(String collection, List<Element> payloads) {}

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
