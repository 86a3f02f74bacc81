package im.zonda.module.pubsub.pep;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.pubsub.caps.CapsLearner;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.owner.NotificationBudgets;
import im.zonda.module.roster.Rosters;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.SessionKey;
import im.zonda.store.PubSubStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The context that the parts of personal eventing share.
///
/// @param key the state of each account
/// @param known the nodes that other modules know
/// @param budgets what notifications users have caused
/// @param sent the capabilities of a session when it was sent the last items
public record Pep(
    ModuleContext context,
    PubSubStore store,
    Rosters rosters,
    CapsLearner learner,
    KnownNodes known,
    NotificationBudgets budgets,
    HomeKey<PepState> key,
    SessionKey<String> sent) {
  /// Creates the parts, and keeps a state with each account.
  public static Pep of(
      ModuleContext context,
      PubSubStore store,
      Rosters rosters,
      CapsLearner learner,
      KnownNodes known) {
    HomeKey<PepState> key = new HomeKey<>("pubsub", account -> new PepState());
    context.addHomeState(key);
    return new Pep(
        context,
        store,
        rosters,
        learner,
        known,
        new NotificationBudgets(
            context.domain().domain(),
            context.clock(),
            () -> context.config().limits().pubsub().notifications()),
        key,
        new SessionKey<>("pubsub", String.class, text -> text, text -> text));
  }

  /// The account's own clients that have a feature, as far as it is known.
  public List<Jid> ownClients(Home home, String feature) {
    return home.state(key).clients().getOrDefault(home.jid(), Map.of()).entrySet().stream()
        .filter(each -> each.getValue().features().contains(feature))
        .map(each -> home.jid().withResource(each.getKey()))
        .toList();
  }

  /// The nodes of an account, for use during the current task at its home.
  public NodeOwner owner(Home home) {
    return new AccountNodeOwner(this, home);
  }

  /// All nodes of an account.
  public Collection<Node> nodes(Home home) {
    return new AccountNodeOwner(this, home).nodes();
  }
}
