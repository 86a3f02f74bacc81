package im.zonda.module.pubsub.attachment;

import im.zonda.jid.Jid;
import im.zonda.module.Xep;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.store.PubSubStore.Item;
import im.zonda.store.PubSubStore.Order;
import im.zonda.store.PubSubStore.Page;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps the nodes with attachments and with their summaries as their target is. Confined to the
/// home of the node that is changed; may block.
@Xep(
    number = 470,
    version = "0.2.0",
    title = "Pubsub Attachments",
    note =
        "Nodes of accounts and of a service. Attachments are for items that exist, and go with"
            + " them. The node of an item has one name: in its address, all characters are"
            + " percent-encoded that may be")
public final class Attachments {
  /// The feature of accounts and services.
  public static final String FEATURE = DerivedNode.ATTACHMENTS;

  private static final QName PAYLOAD = new QName(DerivedNode.ATTACHMENTS, "attachments");

  /// Nodes and items that are read from the store at a time.
  private static final int PORTION = 100;

  private Attachments() {}

  /// Whether a publish request has what a user may attach (XEP-0470, section 4.5).
  public static boolean isValid(Element publish, Jid publisher) {
    List<Element> items =
        publish.children().stream().filter(e -> e.is(PubSubXml.NAMESPACE, "item")).toList();
    return items.size() == 1
        && publisher.bare().toString().equals(items.getFirst().attribute("id"))
        && items.getFirst().children().size() == 1
        && items.getFirst().children().getFirst().name().equals(PAYLOAD);
  }

  /// Whether a node keeps the item that attachments are for.
  public static boolean hasItem(NodeOwner owner, Node target, String item) {
    return !target.config().isCollection()
        && target.config().isOn(NodeOption.PERSIST_ITEMS)
        && !owner.store().publishers(owner.address(), target.name(), Set.of(item)).isEmpty();
  }

  /// A new node for attachments or summaries.
  public static Node create(NodeOwner owner, DerivedNode derived, Node target, Jid creator) {
    String name = derived.name(owner.address());
    Node node = Node.create(name, creator.bare(), owner.now(), owner.place().defaults());
    return DerivedNode.derive(node, target);
  }

  /// Creates the node with the summaries if there is none, so that users can subscribe to it as
  /// soon as something is attached. Its home publishes the summary.
  public static void createSummary(NodeOwner owner, DerivedNode attachments, Node target) {
    DerivedNode summary = attachments.summary();
    if (owner.other(summary.name(owner.address())) == null) {
      owner.save(null, create(owner, summary, target, owner.address()));
    }
  }

  /// A stored node as it is with its target; null if its target is gone.
  public static @Nullable Node effective(NodeOwner owner, Node stored) {
    if (!DerivedNode.isReserved(stored.name())) {
      return stored;
    }
    DerivedNode derived = DerivedNode.of(stored.name(), owner.address());
    Node target = derived == null ? null : owner.other(derived.target());
    return target == null ? null : DerivedNode.derive(stored, target);
  }

  /// Items of a node were published, retracted or removed by a request.
  public static void changed(NodeOwner owner, Node node, Iterable<String> items) {
    DerivedNode derived = DerivedNode.of(node.name(), owner.address());
    if (derived != null && derived.item() != null) {
      owner.refresh(derived.summary().name(owner.address()), derived.item());
    } else if (derived == null && hasAttachments(owner, node)) {
      items.forEach(
          item -> owner.refresh(new DerivedNode(node.name(), item).name(owner.address()), item));
    }
  }

  /// Items of a node were removed, all of them or as many as there were too many.
  public static void purged(NodeOwner owner, Node node) {
    if (DerivedNode.isReserved(node.name())) {
      changed(owner, node, List.of());
    } else if (hasAttachments(owner, node)) {
      refreshAll(owner, node);
    }
  }

  /// A node was removed, with its items.
  public static void removed(NodeOwner owner, Node node) {
    if (DerivedNode.isReserved(node.name())) {
      changed(owner, node, List.of());
      return;
    }
    String summaries = new DerivedNode(node.name(), null).name(owner.address());
    if (owner.store().find(owner.address(), summaries) != null) {
      refreshAll(owner, node);
      owner.refresh(summaries, "");
    }
  }

  private static boolean hasAttachments(NodeOwner owner, Node node) {
    return owner.other(new DerivedNode(node.name(), null).name(owner.address())) != null;
  }

  private static void refreshAll(NodeOwner owner, Node target) {
    String prefix = DerivedNode.attachmentsOf(target.name(), owner.address());
    String after = prefix;
    while (after != null) {
      List<String> names = owner.store().list(owner.address(), after, PORTION);
      after = names.size() < PORTION ? null : names.getLast();
      for (String name : names) {
        DerivedNode derived = DerivedNode.of(name, owner.address());
        if (derived == null || !derived.target().equals(target.name())) {
          return;
        }
        if (derived.item() != null) {
          owner.refresh(name, derived.item());
        }
      }
    }
  }

  /// Brings a derived node up to date for an item of its target. Idempotent.
  public static void refresh(NodeOwner owner, String name, String item) {
    DerivedNode derived = DerivedNode.of(name, owner.address());
    if (derived == null) {
      return;
    }
    Node target = owner.other(derived.target());
    if (derived.isSummary()) {
      refreshSummary(owner, derived, target, item);
    } else if (target == null || !hasItem(owner, target, item)) {
      remove(owner, name);
      owner.refresh(derived.summary().name(owner.address()), item);
    }
  }

  /// Removes a derived node.
  public static void remove(NodeOwner owner, String name) {
    owner.remove(Node.create(name, owner.address(), owner.now(), owner.place().defaults()));
  }

  private static void refreshSummary(
      NodeOwner owner, DerivedNode derived, @Nullable Node target, String item) {
    String name = derived.name(owner.address());
    if (target == null) {
      remove(owner, name);
      return;
    }
    Element summary = summarize(owner, new DerivedNode(target.name(), item).name(owner.address()));
    Node found = owner.find(name);
    if (summary == null) {
      if (found != null && !owner.store().retract(owner.address(), name, Set.of(item)).isEmpty()) {
        owner.notifyAll(found, List.of(PubSubXml.retracted(found, List.of(item))));
      }
      return;
    }
    byte[] payload = PubSubXml.bytes(summary);
    Node node = found == null ? create(owner, derived, target, owner.address()) : found;
    if (found == null) {
      owner.save(null, node);
    } else if (isCurrent(owner.store().items(owner.address(), name, Set.of(item)), payload)) {
      return;
    }
    Item published = new Item(item, owner.address(), owner.now(), payload);
    List<String> _ =
        owner.store().publish(owner.address(), name, List.of(published), owner.bounds().items());
    owner.notifyAll(node, List.of(PubSubXml.items(node, owner.address(), List.of(published))));
  }

  private static boolean isCurrent(List<Item> stored, byte[] payload) {
    return !stored.isEmpty() && Arrays.equals(stored.getFirst().payload(), payload);
  }

  /// Reads all attachments of an item. The work is charged to the user who has changed one.
  private static @Nullable Element summarize(NodeOwner owner, String attachments) {
    Summary summary = new Summary();
    String after = null;
    long bytes = 0;
    while (true) {
      Page page =
          owner.store().page(owner.address(), attachments, Order.CREATION, after, false, PORTION);
      if (page == null || page.items().isEmpty()) {
        owner.charge(bytes);
        return summary.toElement();
      }
      for (Item each : page.items()) {
        bytes += each.payload().length;
        Element payload = PubSubXml.payload(each);
        if (payload != null) {
          summary.add(payload);
        }
      }
      after = page.items().getLast().id();
    }
  }
}
