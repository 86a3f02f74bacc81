package im.zonda.module.pubsub.following;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.attachment.Attachments;
import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.node.SubscriptionLists;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.store.PubSubStore.Item;
import im.zonda.xml.Element;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps the nodes with public subscribers as the subscriptions of their target are (XEP-0465). The
/// identifier of an item is the address of the subscriber. Confined to the home of the node that is
/// changed; may block.
public final class PublicSubscribers {
  private PublicSubscribers() {}

  /// A subscription with this child is public.
  public static boolean isPublic(Element subscribe) {
    return subscribe.children().stream()
        .anyMatch(each -> each.is(SubscriptionLists.NAMESPACE, "public"));
  }

  /// The node of that name as it is with its target: the stored one, or one without items and
  /// subscriptions, so that every node has it. Null if there is no target.
  ///
  /// @param stored the node as it is stored, or null
  public static @Nullable Node effective(NodeOwner owner, String name, @Nullable Node stored) {
    if (name.equals(SubscriptionLists.SUBSCRIPTIONS) || name.equals(SubscriptionLists.MANAGED)) {
      return stored;
    }
    String targetName = SubscriptionLists.targetOf(name);
    Node target = targetName == null ? null : owner.other(targetName);
    if (target == null) {
      return null;
    }
    Node node =
        stored == null
            ? Node.create(name, owner.address(), owner.now(), owner.place().defaults())
            : stored;
    return DerivedNode.derive(node, target);
  }

  /// A node was stored: adds those whose public subscriptions have begun to the list, and removes
  /// those whose public subscriptions have ended.
  ///
  /// @param before the former node, or null
  public static void saved(NodeOwner owner, @Nullable Node before, Node after) {
    Set<Jid> changed = before == null ? new HashSet<>() : publicSubscribers(before);
    for (Jid each : publicSubscribers(after)) {
      if (!changed.remove(each)) {
        changed.add(each);
      }
    }
    refresh(owner, after, changed);
  }

  /// A node was removed.
  public static void removed(NodeOwner owner, Node node) {
    if (!publicSubscribers(node).isEmpty()) {
      owner.refresh(SubscriptionLists.subscribersOf(node.name()), "");
    }
  }

  private static void refresh(NodeOwner owner, Node node, Set<Jid> users) {
    users.forEach(
        user -> owner.refresh(SubscriptionLists.subscribersOf(node.name()), user.toString()));
  }

  private static Set<Jid> publicSubscribers(Node node) {
    Set<Jid> users = new HashSet<>();
    if (!DerivedNode.isReserved(node.name())) {
      for (Subscription each : node.subscriptions().values()) {
        if (SubscriptionLists.isPublic(each)) {
          users.add(each.subscriber().bare());
        }
      }
    }
    return users;
  }

  /// Brings a node with public subscribers up to date for one of them. Idempotent.
  ///
  /// @param item the bare address of the subscriber
  public static void refresh(NodeOwner owner, String name, String item) {
    String targetName = SubscriptionLists.targetOf(name);
    Node target = targetName == null ? null : owner.other(targetName);
    if (target == null) {
      Attachments.remove(owner, name);
      return;
    }
    Node node = effective(owner, name, owner.find(name));
    if (node == null || item.isEmpty()) {
      return;
    }
    boolean known = !owner.store().publishers(owner.address(), name, Set.of(item)).isEmpty();
    boolean wanted = SubscriptionLists.isPublicSubscriber(target, Jid.stored(item));
    if (known && !wanted) {
      owner.store().retract(owner.address(), name, Set.of(item));
      owner.notifyAll(node, List.of(PubSubXml.retracted(node, List.of(item))));
    } else if (wanted && !known) {
      publish(owner, node, item);
    }
  }

  private static void publish(NodeOwner owner, Node node, String user) {
    if (owner.store().find(owner.address(), node.name()) == null) {
      owner.save(null, node);
    }
    Element payload =
        Element.builder(SubscriptionLists.NAMESPACE, "subscriber").attribute("jid", user).build();
    Item item = new Item(user, owner.address(), owner.now(), PubSubXml.bytes(payload));
    List<String> _ =
        owner.store().publish(owner.address(), node.name(), List.of(item), owner.bounds().items());
    owner.notifyAll(node, List.of(PubSubXml.items(node, owner.address(), List.of(item))));
  }
}
