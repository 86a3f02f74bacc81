package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The rosters of a node's owners, as far as they are accounts of the service's host, during one
/// task. They decide on the access models `presence` and `roster`: who is in the roster of one
/// owner has access. Blocks.
final class OwnerRosters {
  private static final Set<String> BY_ROSTER = Set.of("presence", "roster");

  private final RosterStore store;
  private final String host;
  private final Map<Jid, Map<Jid, RosterItem>> read = new HashMap<>();

  /// @param host the domain of the accounts
  OwnerRosters(RosterStore store, String host) {
    this.store = store;
    this.host = host;
  }

  private Map<Jid, RosterItem> of(Jid owner) {
    return read.computeIfAbsent(
        owner,
        missing -> {
          Map<Jid, RosterItem> items = new HashMap<>();
          store.load(owner).items().forEach(item -> items.put(item.jid(), item));
          return items;
        });
  }

  private List<Jid> owners(@Nullable Node node) {
    return node == null
        ? List.of()
        : node.affiliations().entrySet().stream()
            .filter(each -> each.getValue() == Affiliation.OWNER)
            .map(Map.Entry::getKey)
            .filter(owner -> owner.domain().equals(host) && owner.local() != null)
            .toList();
  }

  /// The groups of all owners.
  Set<String> groups(@Nullable Node node) {
    Set<String> groups = new TreeSet<>();
    owners(node).forEach(owner -> of(owner).values().forEach(item -> groups.addAll(item.groups())));
    return groups;
  }

  /// Someone as the owners know them; nothing is read if the access model does not need it.
  Requester requester(Node node, Jid user) {
    if (!BY_ROSTER.contains(node.config().value(NodeOption.ACCESS_MODEL))) {
      return Requester.stranger(user);
    }
    Set<String> groups = new HashSet<>();
    boolean sees = false;
    for (Jid owner : owners(node)) {
      RosterItem item = of(owner).get(user.bare());
      if (item != null && item.subscription().from()) {
        sees = true;
        groups.addAll(item.groups());
      }
    }
    return new Requester(user, sees, groups);
  }
}
