package im.zonda.module.pubsub.owner;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and changes nodes on behalf of their owner, without a request: what one extension writes
/// is converted for another one. Subscribers of the node get notifications, one for each item,
/// because clients expect so. The owner's [NodeOwner#changed] is not called.
///
/// Neither the size of an item nor the number of bytes of all items is checked: what is converted
/// is as large as what a request has published, within its limits.
public final class ServerChanges {
  /// Items that are read from the store at a time.
  private static final int PORTION = 100;

  private static final String WHITELIST = "whitelist";

  private final NodeOwner owner;

  /// @param owner the nodes, for use during the current task at their home
  public ServerChanges(NodeOwner owner) {
    this.owner = owner;
  }

  /// The payloads of all items by their ids, in the order of their publication; null if there is no
  /// such node or it does not persist items.
  ///
  /// @param into gets them
  public <T extends Map<String, Element>> @Nullable T readAll(String name, T into) {
    Node node = owner.find(name);
    if (node == null || !node.config().isOn(NodeOption.PERSIST_ITEMS)) {
      return null;
    }
    String after = null;
    while (true) {
      Page page =
          owner.store().page(owner.address(), name, Order.MODIFICATION, after, false, PORTION);
      if (page == null || page.items().isEmpty()) {
        return into;
      }
      for (Item item : page.items()) {
        Element payload = PubSubXml.payload(item);
        if (payload != null) {
          into.put(item.id(), payload);
        }
      }
      after = page.items().getLast().id();
    }
  }

  /// Publishes payloads by their ids. Creates the node if there is none.
  ///
  /// @param accessModel the access model of a node that is created
  /// @return false if nothing was published because there are too many nodes, or the node persists
  ///   no items
  public boolean publish(String name, Map<String, Element> payloads, String accessModel) {
    Node node = findOrCreate(name, accessModel);
    if (node == null) {
      return false;
    }
    publish(node, payloads);
    return true;
  }

  /// The same at a node that only its owner has access to: it is configured so first.
  ///
  /// @return false also if others are affiliated with the node
  public boolean publishPrivately(String name, Map<String, Element> payloads) {
    Node node = findOrCreate(name, WHITELIST);
    Node closed = node == null ? null : closed(node);
    if (closed == null) {
      return false;
    }
    publish(closed, payloads);
    return true;
  }

  private @Nullable Node findOrCreate(String name, String accessModel) {
    Node found = owner.find(name);
    if (found != null) {
      return found.config().isOn(NodeOption.PERSIST_ITEMS) ? found : null;
    }
    NodeConfig config = owner.defaults(name).with(NodeOption.ACCESS_MODEL, List.of(accessModel));
    if (config == null || NodeNames.refuse(name, owner.address().bare(), owner) != null) {
      return null;
    }
    Node created = Node.create(name, owner.address(), owner.now(), config);
    owner.save(null, created);
    return created;
  }

  private void publish(Node node, Map<String, Element> payloads) {
    Jid publisher = owner.address();
    List<Item> items = new ArrayList<>();
    payloads.forEach(
        (id, payload) -> items.add(new Item(id, publisher, owner.now(), PubSubXml.bytes(payload))));
    int most = mostItems(node.config());
    List<String> removed = owner.store().publish(owner.address(), node.name(), items, most);
    for (Item item : items) {
      owner.notifyAll(node, List.of(PubSubXml.items(node, owner.address(), List.of(item))));
    }
    if (!removed.isEmpty() && most > 1 && node.config().isOn(NodeOption.NOTIFY_RETRACT)) {
      owner.notifyAll(node, List.of(PubSubXml.retracted(node, removed)));
    }
  }

  /// The node so that only its owner has access, and so that it has as many items as nodes of its
  /// name are to have; null if others are affiliated with it.
  private @Nullable Node closed(Node node) {
    if (node.affiliations().size() > 1) {
      return null;
    }
    NodeConfig config = node.config().with(NodeOption.ACCESS_MODEL, List.of(WHITELIST));
    if (config != null && mostItems(config) < mostItems(owner.defaults(node.name()))) {
      config = config.with(NodeOption.MAX_ITEMS, List.of(NodeConfig.MAX));
    }
    if (config == null || config.equals(node.config())) {
      return config == null ? null : node;
    }
    Node changed = node.withConfig(config);
    Node after =
        changed.withoutSubscriptions(
            each -> changed.refuseAccess(owner.requester(changed, each.subscriber())) != null);
    owner.save(node, after);
    return after;
  }

  private int mostItems(NodeConfig config) {
    return config.number(NodeOption.MAX_ITEMS, owner.bounds().items());
  }

  /// Removes items. Clients are notified, whatever the node's configuration says of it.
  public void retract(String name, Collection<String> ids) {
    Node node = owner.find(name);
    if (node != null && !ids.isEmpty()) {
      Set<String> removed = owner.store().retract(owner.address(), name, ids);
      if (!removed.isEmpty()) {
        owner.notifyAll(node, List.of(PubSubXml.retracted(node, removed)));
      }
    }
  }

  /// Removes a node if it has no items. Clients are notified.
  public void removeIfEmpty(String name) {
    Node node = owner.find(name);
    PubSubStore.Stored stored = owner.store().find(owner.address(), name);
    if (node != null && stored != null && stored.items() == 0) {
      owner.remove(node);
      owner.notifyAll(
          node,
          List.of(
              PubSubXml.event(PubSubXml.named(PubSubXml.EVENT, "delete", node.name()).build())));
    }
  }
}
