package im.zonda.module.following;

import im.zonda.module.pubsub.PepNodes;
import im.zonda.session.Home;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The managed subscriptions of accounts. They are items of two nodes of the account that only the
/// server changes: a list that nobody else sees, and the one of those that are public. Used at the
/// account's home; may block.
final class SubscriptionList {
  /// The node with all of them.
  private static final String ALL = ManagedSubscription.PAM;

  /// The node with those that are public (XEP-0465).
  private static final String PUBLIC = "urn:xmpp:pps:subscriptions:0";

  private final PepNodes nodes;

  SubscriptionList(PepNodes nodes) {
    this.nodes = nodes;
  }

  /// Says how the nodes are configured.
  void open() {
    nodes.configure(ALL, options("whitelist"));
    nodes.configure(PUBLIC, options("open"));
  }

  private static Map<String, String> options(String accessModel) {
    return Map.of(
        "pubsub#access_model",
        accessModel,
        "pubsub#max_items",
        "max",
        "pubsub#send_last_published_item",
        "never");
  }

  void close() {
    nodes.configure(ALL, Map.of());
    nodes.configure(PUBLIC, Map.of());
  }

  /// All subscriptions, oldest first.
  List<ManagedSubscription> all(Home home) {
    Map<String, Element> items = nodes.items(home, ALL);
    List<ManagedSubscription> all = new ArrayList<>();
    if (items != null) {
      items
          .values()
          .forEach(each -> {
            ManagedSubscription read = ManagedSubscription.read(each);
            if (read != null) {
              all.add(read);
            }
          });
    }
    return all;
  }

  /// Whether the account may have no more.
  boolean isFull(Home home) {
    return all(home).size() >= nodes.maxItems(home);
  }

  /// The version of a list, which is the same exactly if the list is.
  static String version(List<ManagedSubscription> all) {
    StringBuilder text = new StringBuilder();
    all.forEach(each -> text.append(each.key()).append(each.state()).append('\n'));
    return ManagedSubscription.hash(text.toString());
  }

  /// Stores a subscription. All of the account to the node are public then, or none.
  ///
  /// @return false if the account may have no more nodes
  boolean put(Home home, ManagedSubscription changed) {
    for (ManagedSubscription each : all(home)) {
      boolean differs = each.isPublic() != changed.isPublic();
      if (each.isTo(changed.service(), changed.node()) && differs) {
        store(home, each.withPublic(changed.isPublic()));
      }
    }
    if (!store(home, changed)) {
      return false;
    }
    if (!changed.isPublic()) {
      hide(home, changed);
      return true;
    }
    return !changed.isListedPublicly()
        || nodes.item(home.jid(), PUBLIC, changed.publicKey()) != null
        || nodes.publish(
            home,
            PUBLIC,
            Map.of(changed.publicKey(), changed.published()),
            PepNodes.Reach.EVERYONE);
  }

  private boolean store(Home home, ManagedSubscription each) {
    Map<String, Element> item = Map.of(each.key(), each.stored(home.jid()));
    return nodes.publishPrivately(home, ALL, item);
  }

  /// Removes a subscription that has ended.
  void remove(Home home, ManagedSubscription ended) {
    nodes.retract(home, ALL, List.of(ended.key()));
    boolean others =
        all(home).stream()
            .anyMatch(each -> each.isTo(ended.service(), ended.node()) && each.isListedPublicly());
    if (!others) {
      hide(home, ended);
    }
  }

  /// Removes a subscription from the public list. Who has no public ones looks like someone who has
  /// never had any (XEP-0465, section 7).
  void hide(Home home, ManagedSubscription each) {
    nodes.retract(home, PUBLIC, List.of(each.publicKey()));
    nodes.removeIfEmpty(home, PUBLIC);
  }
}
