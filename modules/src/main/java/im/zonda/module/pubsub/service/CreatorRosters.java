package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The rosters of the creators of nodes, as far as they are accounts of the service's host, during
/// one task. They decide on the access models `presence` and `roster`. Blocks.
final class CreatorRosters {
  private static final Set<String> BY_ROSTER = Set.of("presence", "roster");

  private final RosterStore store;
  private final String host;
  private final Map<Jid, Map<Jid, RosterItem>> read = new HashMap<>();
  private final Map<String, Optional<Jid>> creators = new HashMap<>();

  /// @param host the domain of the accounts
  CreatorRosters(RosterStore store, String host) {
    this.store = store;
    this.host = host;
  }

  private Map<Jid, RosterItem> of(@Nullable Jid user) {
    if (user == null || user.local() == null || !user.domain().equals(host)) {
      return Map.of();
    }
    return read.computeIfAbsent(
        user,
        missing -> {
          Map<Jid, RosterItem> items = new HashMap<>();
          store.load(user).items().forEach(item -> items.put(item.jid(), item));
          return items;
        });
  }

  /// The groups of a user's roster.
  Set<String> groups(Jid user) {
    Set<String> groups = new TreeSet<>();
    of(user.bare()).values().forEach(item -> groups.addAll(item.groups()));
    return groups;
  }

  /// Someone as the creator of a node knows them; nothing is read if the access model does not need
  /// it.
  ///
  /// @param creatorOf finds whose roster decides on access to the node
  Requester requester(Node node, Jid user, Function<Node, @Nullable Jid> creatorOf) {
    if (!BY_ROSTER.contains(node.config().value(NodeOption.ACCESS_MODEL))) {
      return Requester.stranger(user);
    }
    Jid creator =
        creators
            .computeIfAbsent(node.name(), missing -> Optional.ofNullable(creatorOf.apply(node)))
            .orElse(null);
    RosterItem item = of(creator).get(user.bare());
    return item == null || !item.subscription().from()
        ? Requester.stranger(user)
        : new Requester(user, true, Set.copyOf(item.groups()));
  }
}
