package im.zonda.module.pubsub;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NodeRows;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.module.pubsub.owner.ServerChanges;
import im.zonda.module.pubsub.pep.KnownNodes;
import im.zonda.module.pubsub.pep.Pep;
import im.zonda.session.Home;
import im.zonda.store.PubSubStore;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Last;
import im.zonda.xml.Element;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The nodes of accounts, for modules that keep something in them or convert it. Methods with a
/// home are called in a task of it; all may block. While publish-subscribe is off there are no
/// nodes.
public final class PepNodes {
  /// What has happened to a node.
  public enum Change {
    PUBLISHED,
    RETRACTED,
    REMOVED,
    CONFIGURED
  }

  /// Follows the changes that requests of clients make to a node; not those made here.
  public interface Observer {
    /// Whether a payload may be published. Called before anything is stored.
    default boolean accepts(Home home, Element payload) {
      return true;
    }

    /// The node was changed; the request has not been answered.
    void changed(Home home, Change change);
  }

  /// Who may retrieve the items of a node without being affiliated with it.
  public enum Reach {
    EVERYONE,
    /// Those who see the owner's presence.
    CONTACTS,
    NOBODY
  }

  /// The item that was published last.
  ///
  /// @param id its identifier
  /// @param payload its payload, or null
  public record LastItem(String id, @Nullable Element payload) {}

  private final KnownNodes known;
  private volatile @Nullable Pep pep;

  PepNodes(KnownNodes known) {
    this.known = known;
  }

  void installed(@Nullable Pep newPep) {
    pep = newPep;
  }

  /// Whether accounts have nodes.
  public boolean areOn() {
    return pep != null;
  }

  /// Sets who follows the changes of a node; null for nobody.
  public void observe(String node, @Nullable Observer observer) {
    known.observe(
        node,
        observer == null
            ? null
            : new KnownNodes.Observer() {
              @Override
              public boolean accepts(Home home, Element payload) {
                return observer.accepts(home, payload);
              }

              @Override
              public void changed(Home home, NodeOwner.Change change) {
                observer.changed(home, Change.valueOf(change.name()));
              }
            });
  }

  /// Sets how a node is configured when it is created without options.
  ///
  /// @param options values of options by their field, such as `pubsub#access_model`
  public void configure(String node, Map<String, String> options) {
    NodeConfig config = NodeConfig.ofAccounts();
    for (Map.Entry<String, String> each : options.entrySet()) {
      NodeOption option = NodeOption.ofField(each.getKey());
      NodeConfig changed = option == null ? null : config.with(option, List.of(each.getValue()));
      if (changed == null) {
        throw new IllegalArgumentException("not an option of nodes: " + each);
      }
      config = changed;
    }
    known.configure(node, options.isEmpty() ? null : config);
  }

  /// The payloads of all items by their ids, in the order of their publication; null if there is no
  /// such node or it does not persist items.
  public @Nullable Map<String, Element> items(Home home, String node) {
    Pep on = pep;
    return on == null
        ? null
        : new ServerChanges(on.owner(home)).readAll(node, new LinkedHashMap<String, Element>());
  }

  /// The payload of an item, or null.
  public @Nullable Element item(Jid account, String node, String id) {
    Pep on = pep;
    List<Item> items = on == null ? List.of() : on.store().items(account, node, List.of(id));
    return items.isEmpty() ? null : PubSubXml.payload(items.getFirst());
  }

  /// The item of a node that was published last, or null.
  public @Nullable LastItem last(Jid account, String node) {
    Pep on = pep;
    List<Last> found = on == null ? List.of() : on.store().lastItems(account, Set.of(node));
    if (found.isEmpty()) {
      return null;
    }
    Item item = found.getFirst().item();
    return new LastItem(item.id(), PubSubXml.payload(item));
  }

  /// Who may retrieve the items of a node; nobody if there is none.
  public Reach reach(Jid account, String node) {
    Pep on = pep;
    PubSubStore.Stored stored = on == null ? null : on.store().find(account, node);
    if (stored == null) {
      return Reach.NOBODY;
    }
    NodeConfig config = NodeRows.read(stored, NodeConfig.ofAccounts()).config();
    return switch (config.value(NodeOption.ACCESS_MODEL)) {
      case "open" -> Reach.EVERYONE;
      case "presence" -> Reach.CONTACTS;
      default -> Reach.NOBODY;
    };
  }

  /// Whether a user may retrieve the items of a node.
  public boolean mayRead(Home home, String node, Jid user) {
    Pep on = pep;
    if (on == null) {
      return false;
    }
    NodeOwner owner = on.owner(home);
    Node found = owner.find(node);
    return found != null
        && (found.isOwner(user) || found.refuseRetrieval(owner.requester(found, user)) == null);
  }

  /// Whether the account may store that many bytes more.
  public boolean hasRoom(Home home, long bytes) {
    Pep on = pep;
    return on != null && on.store().bytes(home.jid()) + bytes <= on.owner(home).bounds().bytes();
  }

  /// The number of items that a node may have.
  public int maxItems(Home home) {
    Pep on = pep;
    return on == null ? 0 : on.owner(home).bounds().items();
  }

  /// Publishes payloads by their ids, and notifies clients of each. Creates the node if there is
  /// none. Sizes are not checked.
  ///
  /// @param ifNew who may read a node that is created
  /// @return false if nothing was published because there are too many nodes, or the node persists
  ///   no items
  public boolean publish(Home home, String node, Map<String, Element> payloads, Reach ifNew) {
    Pep on = pep;
    String model =
        switch (ifNew) {
          case EVERYONE -> "open";
          case CONTACTS -> "presence";
          case NOBODY -> "whitelist";
        };
    return on != null
        && home.exists()
        && new ServerChanges(on.owner(home)).publish(node, payloads, model);
  }

  /// The same at a node that nobody but the account may read: it is configured so first.
  ///
  /// @return false also if others are affiliated with the node
  public boolean publishPrivately(Home home, String node, Map<String, Element> payloads) {
    Pep on = pep;
    return on != null
        && home.exists()
        && new ServerChanges(on.owner(home)).publishPrivately(node, payloads);
  }

  /// Removes a node that no longer has items, and notifies clients. Until something is published
  /// again, the account looks like one that never had it.
  public void removeIfEmpty(Home home, String node) {
    Pep on = pep;
    if (on != null && home.exists()) {
      new ServerChanges(on.owner(home)).removeIfEmpty(node);
    }
  }

  /// The account's own clients that are available and have a feature, as far as it is known.
  public List<Jid> clients(Home home, String feature) {
    Pep on = pep;
    return on == null ? List.of() : on.ownClients(home, feature);
  }

  /// Removes items and notifies clients.
  public void retract(Home home, String node, Collection<String> ids) {
    Pep on = pep;
    if (on != null && home.exists()) {
      new ServerChanges(on.owner(home)).retract(node, ids);
    }
  }
}
