package im.zonda.store;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Publish-subscribe nodes with their items (XEP-0060). A node belongs to an owner, which is an
/// account or the domain of a service, and has a name that is unique there. Removing an account
/// removes its nodes.
///
/// Every change is durable when the call returns. The home of the owner, or of the node, makes
/// changes one after the other. Calls block.
public interface PubSubStore {
  /// The maximum length of the name of a node and of the id of an item, in bytes of UTF-8.
  int MAX_NAME_BYTES = 1_023;

  /// [#items], [#page] and [#select] return no further item when payloads and ids together would
  /// have more bytes than this; they return at least one if there is any.
  long READ_BYTES = 1_048_576;

  /// A node.
  ///
  /// @param owner the bare address of an account, or the domain of a service
  /// @param name its name (NodeID)
  /// @param creator the bare address of the user who created it
  /// @param created when it was created, to the microsecond
  /// @param settings its configuration as text, in the form of the module
  /// @param listed whether [#listed] has it
  /// @param entries how many affiliations and subscriptions it has, as the module counts them, for
  ///   [#usage]
  /// @param presence whether [#presenceNodes] has it
  record Node(
      Jid owner,
      String name,
      Jid creator,
      Instant created,
      String settings,
      boolean listed,
      int entries,
      boolean presence) {
    /// A node that does not need presence.
    public Node(
        Jid owner,
        String name,
        Jid creator,
        Instant created,
        String settings,
        boolean listed,
        int entries) {
      this(owner, name, creator, created, settings, listed, entries, false);
    }

    /// A node that is listed, without entries.
    public Node(Jid owner, String name, Jid creator, Instant created, String settings) {
      this(owner, name, creator, created, settings, true, 0);
    }
  }

  /// What a user is to a node.
  ///
  /// @param user a bare address
  /// @param affiliation the word for it, such as `publisher`; `none` removes the entry
  record Affiliation(Jid user, String affiliation) {}

  /// A subscription to a node.
  ///
  /// @param id its identifier, unique at the node
  /// @param subscriber the subscribed address, bare or full
  /// @param state the word for its state, such as `subscribed`; `none` removes it
  /// @param options its options as text, in the form of the module
  record Subscription(String id, Jid subscriber, String state, String options) {}

  /// A node as it is stored.
  ///
  /// @param affiliations in the order of the users
  /// @param subscriptions in the order of their identifiers
  /// @param items the number of items
  /// @param bytes the size of all items: payloads and ids
  record Stored(
      Node node,
      List<Affiliation> affiliations,
      List<Subscription> subscriptions,
      int items,
      long bytes) {
    /// Copies the lists.
    public Stored {
      affiliations = List.copyOf(affiliations);
      subscriptions = List.copyOf(subscriptions);
    }
  }

  /// An item.
  ///
  /// @param id its identifier, unique at the node
  /// @param publisher who published it
  /// @param published when, to the microsecond
  /// @param payload the payload as XML in UTF-8; empty if there is none. Must not be changed
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Item(String id, Jid publisher, Instant published, byte[] payload) {}

  /// The order of a node's items (XEP-0413).
  enum Order {
    /// That of their publication: an item that replaces one with the same id is the newest one.
    MODIFICATION,

    /// That in which their ids were new at the node: an item that replaces one with the same id
    /// stays where that one was. An id that was removed is new again.
    CREATION
  }

  /// A page of items (XEP-0059).
  ///
  /// @param items in the order that was asked for
  /// @param index how many items of the node are before the page
  /// @param count the number of items of the node
  record Page(List<Item> items, int index, int count) {
    /// Copies the list.
    public Page {
      items = List.copyOf(items);
    }
  }

  /// An item without its payload.
  ///
  /// @param size of the payload, in bytes
  record ItemHead(String id, Jid publisher, Instant published, long size) {}

  /// Some items of a node, without their payloads.
  ///
  /// @param items in the order of their creation
  /// @param count the number of items of the node
  /// @param more whether there are others after these
  record ItemHeads(List<ItemHead> items, int count, boolean more) {
    /// Copies the list.
    public ItemHeads {
      items = List.copyOf(items);
    }
  }

  /// Which items of a node are meant; those that fulfil all conditions.
  ///
  /// @param order the order of the range
  /// @param after the id of an item that they come after, or null
  /// @param before the id of an item that they come before, or null
  /// @param publisher who published them: a full address, or a bare one with any resource; or null
  /// @param from published at that time or later, or null
  /// @param to published at that time or earlier, or null
  record Range(
      Order order,
      @Nullable String after,
      @Nullable String before,
      @Nullable Jid publisher,
      @Nullable Instant from,
      @Nullable Instant to) {}

  /// The item of a node that was published last.
  record Last(String node, Item item) {}

  /// What a user has at a node: the affiliation.
  record AffiliatedNode(String node, String affiliation) {}

  /// What a user has at a node: a subscription.
  record SubscribedNode(String node, Subscription subscription) {}

  /// The place of a subscription among all of a user.
  ///
  /// @param node the name of the node
  /// @param id the identifier of the subscription
  record SubscriptionPlace(String node, String id) {}

  /// The nodes that a user has created.
  ///
  /// @param nodes how many there are
  /// @param bytes the size of all their items: payloads and ids
  /// @param entries their affiliations and subscriptions, as their rows count them
  record Usage(int nodes, long bytes, long entries) {}

  /// The node of an owner, or null.
  @Nullable Stored find(Jid owner, String name);

  /// All nodes of an owner, in the order of the bytes of their names.
  List<Stored> findAll(Jid owner);

  /// Names of an owner's nodes in the order of their bytes, at most `limit`, after that name.
  List<String> list(Jid owner, @Nullable String after, int limit);

  /// An owner's nodes that are listed and in no collection, in the order of the bytes of their
  /// names, at most `limit`, after that name.
  List<Node> listed(Jid owner, @Nullable String after, int limit);

  /// The affiliations of a user with an owner's nodes, in the order of the nodes' names, found by
  /// the user.
  ///
  /// @param user a bare address
  /// @param after the name of the node that the first one comes after, or null
  List<AffiliatedNode> affiliationsOf(Jid owner, Jid user, @Nullable String after, int limit);

  /// The number of [#affiliationsOf].
  int countAffiliations(Jid owner, Jid user);

  /// The subscriptions of a user, of the bare address and of full ones, to an owner's nodes, in the
  /// order of the nodes' names and of the identifiers, found by the user.
  ///
  /// @param user a bare address
  /// @param after the subscription that the first one comes after, or null
  List<SubscribedNode> subscriptionsOf(
      Jid owner, Jid user, @Nullable SubscriptionPlace after, int limit);

  /// The number of [#subscriptionsOf].
  int countSubscriptions(Jid owner, Jid user);

  /// The names of an owner's nodes that need presence and that a user is subscribed to or
  /// affiliated with, in the order of their bytes, at most `limit`.
  ///
  /// @param user a bare address
  List<String> presenceNodes(Jid owner, Jid user, int limit);

  /// A node.
  ///
  /// @param owner its owner
  /// @param node its name
  record Place(Jid owner, String node) {}

  /// Nodes of all owners, at most `limit`, that have an affiliation other than `outcast` or a
  /// subscription of a user, of the bare address or of a full one.
  ///
  /// @param user a bare address
  List<Place> placesOf(Jid user, int limit);

  /// Whether an owner has a node that needs presence.
  boolean hasPresenceNodes(Jid owner);

  /// Makes a node a child of a collection; both must exist. The association ends with either node.
  ///
  /// @return false if it was one, or if one of them does not exist
  boolean associate(Jid owner, String collection, String child);

  /// Ends an association; false if there was none.
  boolean dissociate(Jid owner, String collection, String child);

  /// The names of the collections that a node is a child of, in the order of their bytes.
  List<String> collections(Jid owner, String child);

  /// The children of a collection, in the order of the bytes of their names, at most `limit`, after
  /// that name; also those that are not listed.
  List<Node> children(Jid owner, String collection, @Nullable String after, int limit);

  /// The number of a collection's children.
  int countChildren(Jid owner, String collection);

  /// What a user has created at an owner.
  ///
  /// @param creator a bare address
  Usage usage(Jid owner, Jid creator);

  /// The number of an owner's nodes.
  int count(Jid owner);

  /// The size of all items of an owner's nodes: payloads and ids, in bytes.
  long bytes(Jid owner);

  /// Stores the node, the changed affiliations and the changed subscriptions in one transaction;
  /// creates the node if it does not exist. Of several changes of one entry the last one wins. A
  /// service's domain becomes an owner with its first node.
  ///
  /// @throws IllegalArgumentException if the name is too long or empty, or the owner has a resource
  /// @throws Stores.MissingOwnerException if the owner is an account that does not exist
  void save(Node node, Collection<Affiliation> affiliations, Collection<Subscription> changed);

  /// Removes the node with all that belongs to it; false if there is none.
  boolean remove(Jid owner, String name);

  /// Publishes items, in this order and in one transaction. An item with the id of an existing one
  /// replaces it and becomes the newest one. The oldest items beyond `most` are removed.
  ///
  /// @param most how many items the node keeps at most; at least 1
  /// @return the ids of items that were removed because there were too many, oldest first
  /// @throws IllegalStateException if there is no such node
  /// @throws IllegalArgumentException if an id is too long
  List<String> publish(Jid owner, String node, List<Item> items, int most);

  /// Removes the oldest items beyond `most`; returns their ids, oldest first.
  List<String> trim(Jid owner, String node, int most);

  /// Removes the items with these ids.
  ///
  /// @return the ids of those that existed
  Set<String> retract(Jid owner, String node, Collection<String> ids);

  /// Removes all items; returns how many there were.
  int purge(Jid owner, String node);

  /// Removes items published before that time; returns how many there were.
  int expire(Jid owner, String node, Instant before);

  /// The items with these ids, in the order of their publication; those that do not exist are
  /// missing, and the last ones if all are larger than [#READ_BYTES].
  List<Item> items(Jid owner, String node, Collection<String> ids);

  /// Who has published the items with these ids, as far as they exist; no payload is read.
  Map<String, Jid> publishers(Jid owner, String node, Collection<String> ids);

  /// The ids of the items that were published last, oldest first; no payload is read.
  List<String> newest(Jid owner, String node, int limit);

  /// A page of items, found by the database. At most `limit` items after or before an item, or the
  /// first or last ones of all; fewer if they are larger than [#READ_BYTES].
  ///
  /// @param order the order of the items
  /// @param reference the id of an item that is next to the page, or null
  /// @param backwards whether the page is before the reference, or at the end of all
  /// @return null if there is no item with the id of the reference
  @Nullable Page page(
      Jid owner,
      String node,
      Order order,
      @Nullable String reference,
      boolean backwards,
      int limit);

  /// Items in the order of their creation, at most `limit`. No payload is read if the database
  /// allows that.
  ///
  /// @param after the id of the item after which to start, or null to start with the first
  /// @return null if there is no such node, or no item with that id
  default @Nullable ItemHeads heads(Jid owner, String node, @Nullable String after, int limit) {
    Page page =
        find(owner, node) == null ? null : page(owner, node, Order.CREATION, after, false, limit);
    return page == null
        ? null
        : new ItemHeads(
            page.items().stream()
                .map(each ->
                    new ItemHead(
                        each.id(), each.publisher(), each.published(), each.payload().length))
                .toList(),
            page.count(),
            page.index() + page.items().size() < page.count());
  }

  /// Affiliations with a node, in the order of the bytes of the addresses, at most `limit`.
  ///
  /// @param after the address after which to start, or null to start with the first
  /// @return null if there is no such node
  default @Nullable List<Affiliation> affiliations(
      Jid owner, String node, @Nullable String after, int limit) {
    Stored stored = find(owner, node);
    return stored == null
        ? null
        : stored.affiliations().stream()
            .filter(each -> isAfter(each.user().toString(), after))
            .limit(limit)
            .toList();
  }

  /// Subscriptions to a node, in the order of the bytes of their identifiers, at most `limit`.
  ///
  /// @param after the identifier after which to start, or null to start with the first
  /// @return null if there is no such node
  default @Nullable List<Subscription> subscriptions(
      Jid owner, String node, @Nullable String after, int limit) {
    Stored stored = find(owner, node);
    return stored == null
        ? null
        : stored.subscriptions().stream()
            .filter(each -> isAfter(each.id(), after))
            .limit(limit)
            .toList();
  }

  private static boolean isAfter(String text, @Nullable String other) {
    return other == null
        || Arrays.compareUnsigned(
                text.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8))
            > 0;
  }

  /// The first items of a range, or the last ones, at most `limit`, in the order of the range;
  /// fewer if they are larger than [#READ_BYTES].
  ///
  /// @param backwards whether the last ones of the range are wanted
  /// @return null if there is no item with an id that the range names
  @Nullable List<Item> select(Jid owner, String node, Range range, boolean backwards, int limit);

  /// The last item of each of an owner's nodes that has one, in the order of the names of the
  /// nodes, in one read.
  ///
  /// @param nodes the names of the nodes
  List<Last> lastItems(Jid owner, Set<String> nodes);
}
