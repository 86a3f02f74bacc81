package im.zonda.module.pubsub.service;

import im.zonda.config.PubSub;
import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.ServiceHomes;
import im.zonda.module.pubsub.owner.NotificationBudgets;
import im.zonda.store.PubSubStore;
import im.zonda.store.RosterStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The context that the parts of the service share.
///
/// @param domain the address of the service
/// @param rosters the rosters of the host's accounts
/// @param interest whether any node needs presence
/// @param unloaded homes of nodes that were unloaded when nobody was available there
/// @param budgets what notifications users have caused
/// @param homes the homes of the nodes, once the service is there
record ServiceNodes(
    ModuleContext context,
    Jid domain,
    PubSubStore store,
    RosterStore rosters,
    PresenceInterest interest,
    Set<Jid> unloaded,
    NotificationBudgets budgets,
    AtomicReference<@Nullable ServiceHomes<NodeHome>> homes) {
  private static final String SERVER_INFO = "serverinfo";

  /// The settings at present.
  PubSub settings() {
    return context.config().services().pubsub();
  }

  /// The address of a node's home. Names of nodes may be longer than addresses, and have characters
  /// that addresses have not; so it has a hash of the name.
  Jid home(String node) {
    return Jid.of(HashFunction.SHA_256.hex(node), domain.domain(), null);
  }

  /// What a home has in memory when it is loaded.
  NodeHome load(Jid address) {
    return new NodeHome(
        address,
        new Deliveries(context, domain, delay -> awaitTurn(address, delay)),
        context.clock().instant());
  }

  /// The address of the home where a user's presence is handled. No node has a name with that
  /// character.
  Jid presenceHome(Jid user) {
    return home("\0" + user.bare());
  }

  /// Sends a message to the home of a node.
  void send(HomeMessage message) {
    context.send(HomeMessage.write(message, domain, context.ids().next()));
  }

  private boolean awaitTurn(Jid address, Duration delay) {
    if (delay.isPositive()) {
      context.scheduler().schedule(delay, () -> awaitTurn(address, Duration.ZERO));
      return true;
    }
    ServiceHomes<NodeHome> all = homes.get();
    try {
      if (all == null) {
        return false;
      }
      all.submit(address, false, home -> home.deliveries().sendSlice(home));
      return true;
    } catch (IllegalStateException e) {
      return false; // the service has been withdrawn
    }
  }

  /// The service as the owner of nodes, for use during one task.
  ///
  /// @param home the home where the task runs, which has one node; null for a request that names
  ///   none
  ServiceNodeOwner owner(@Nullable NodeHome home) {
    return new ServiceNodeOwner(this, home);
  }

  /// Whether the user may create nodes.
  boolean mayCreate(Jid user) {
    return switch (settings().creation()) {
      case EVERYONE -> true;
      case ACCOUNTS -> user.domain().equals(context.domain().domain()) || isAdmin(user);
      case ADMINS -> isAdmin(user);
    };
  }

  /// Whether only the host and admins may create a node with that name: what it says is about the
  /// server (XEP-0485).
  boolean isReserved(String node, Jid user) {
    return node.equals(SERVER_INFO) && !isAdmin(user);
  }

  /// Whether the user owns every node: an admin of the service, or the host, which asks for its
  /// administrators.
  boolean isAdmin(Jid user) {
    return user.equals(context.domain()) || settings().admins().contains(user.bare().toString());
  }
}
