package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A node without its items: an immutable state with the rules of XEP-0060. Methods that change
/// something return another node; the caller stores it before it takes effect.
///
/// @param name its NodeID
/// @param creator the bare address of the user who created it
/// @param created when it was created
/// @param config its configuration
/// @param affiliations by bare address, without `none`
/// @param subscriptions by their identifiers
public record Node(
    String name,
    Jid creator,
    Instant created,
    NodeConfig config,
    Map<Jid, Affiliation> affiliations,
    Map<String, Subscription> subscriptions) {
  /// Subscriptions that one user may have to a node.
  public static final int SUBSCRIPTIONS_OF_USER = 16;

  private static final Refusal FORBIDDEN = Refusal.of(ErrorCondition.FORBIDDEN);

  /// Copies the maps.
  public Node {
    affiliations = Collections.unmodifiableMap(new LinkedHashMap<>(affiliations));
    subscriptions = Collections.unmodifiableMap(new LinkedHashMap<>(subscriptions));
  }

  /// A new node, owned by its creator.
  public static Node create(String name, Jid creator, Instant created, NodeConfig config) {
    return new Node(name, creator, created, config, Map.of(creator, Affiliation.OWNER), Map.of());
  }

  /// The result of a request to subscribe, or to change a subscription.
  public sealed interface Outcome {
    /// It was done.
    ///
    /// @param node the node as it is then
    /// @param subscription the subscription that is concerned
    record Done(Node node, Subscription subscription) implements Outcome {}

    /// It is rejected.
    record Refused(Refusal refusal) implements Outcome {}
  }

  // --- who may do what --------------------------------------------------------------------------

  /// The affiliation of a user.
  public Affiliation affiliation(Jid user) {
    return affiliations.getOrDefault(user.bare(), Affiliation.NONE);
  }

  /// Whether the user owns the node.
  public boolean isOwner(Jid user) {
    return affiliation(user) == Affiliation.OWNER;
  }

  /// Why a request of an owner is rejected, or null if the user is one.
  public @Nullable Refusal refuseUnlessOwner(Jid user) {
    return isOwner(user) ? null : FORBIDDEN;
  }

  /// Why the user may not retrieve items, or null.
  public @Nullable Refusal refuseRetrieval(Requester requester) {
    Refusal refusal = refuseAccess(requester);
    if (refusal == null && needsApproval(requester) && !isSubscribed(requester.jid())) {
      return Refusal.of(ErrorCondition.NOT_AUTHORIZED, "not-subscribed");
    }
    return refusal;
  }

  /// Why the user gets neither subscriptions nor items, or null. With the access model `authorize`,
  /// a subscription decides in addition.
  public @Nullable Refusal refuseAccess(Requester requester) {
    switch (affiliation(requester.jid())) {
      case OWNER, PUBLISHER, MEMBER -> {
        return null;
      }
      case OUTCAST, PUBLISH_ONLY -> {
        return FORBIDDEN;
      }
      case NONE -> {}
    }
    return switch (config.value(NodeOption.ACCESS_MODEL)) {
      case "open", "authorize" -> null;
      case "presence" ->
          requester.seesPresence()
              ? null
              : Refusal.of(ErrorCondition.NOT_AUTHORIZED, "presence-subscription-required");
      case "roster" ->
          requester.seesPresence() && isInGroup(requester)
              ? null
              : Refusal.of(ErrorCondition.NOT_AUTHORIZED, "not-in-roster-group");
      default -> Refusal.of(ErrorCondition.NOT_ALLOWED, "closed-node");
    };
  }

  private boolean isInGroup(Requester requester) {
    return config.all(NodeOption.ROSTER_GROUPS_ALLOWED).stream()
        .anyMatch(requester.groups()::contains);
  }

  private boolean needsApproval(Requester requester) {
    return config.value(NodeOption.ACCESS_MODEL).equals("authorize")
        && affiliation(requester.jid()) == Affiliation.NONE;
  }

  /// Whether the user gets notifications without a subscription, because of presence (XEP-0060,
  /// section 9.1).
  public boolean notifiesContact(Requester requester) {
    return config.isOn(NodeOption.DELIVER_NOTIFICATIONS)
        && refuseAccess(requester) == null
        && (!needsApproval(requester) || isSubscribed(requester.jid()));
  }

  /// Whether a subscription gets notifications.
  public boolean notifies(Subscription subscription, Requester requester) {
    return subscription.state() == Subscription.State.SUBSCRIBED
        && subscription.options().deliver()
        && config.isOn(NodeOption.DELIVER_NOTIFICATIONS)
        && refuseAccess(requester) == null;
  }

  /// Whether the user may publish items.
  public boolean mayPublish(Jid user) {
    Affiliation affiliation = affiliation(user);
    return switch (config.value(NodeOption.PUBLISH_MODEL)) {
      case "open" -> affiliation != Affiliation.OUTCAST;
      case "subscribers" ->
          affiliation.publishes() || (affiliation != Affiliation.OUTCAST && isSubscribed(user));
      default -> affiliation.publishes();
    };
  }

  /// Whether the user may replace the items of others: owners, and publishers that an owner has
  /// appointed (section 7.1.3). Where anyone may publish, others replace only their own items.
  public boolean mayReplaceAll(Jid user) {
    return affiliation(user) == Affiliation.OWNER || affiliation(user) == Affiliation.PUBLISHER;
  }

  /// Whether the user may retract an item of that publisher: owners all, others their own.
  public boolean mayRetract(Jid user, Jid publisher) {
    return isOwner(user) || (mayPublish(user) && publisher.bare().equals(user.bare()));
  }

  // --- subscriptions ----------------------------------------------------------------------------

  /// The subscriptions of a user, also those that are pending.
  public List<Subscription> subscriptionsOf(Jid user) {
    return subscriptions.values().stream().filter(each -> each.isOf(user)).toList();
  }

  /// Whether the user has a subscription that is not pending.
  public boolean isSubscribed(Jid user) {
    return subscriptionsOf(user).stream()
        .anyMatch(each -> each.state() == Subscription.State.SUBSCRIBED);
  }

  /// Subscribes an address of the requester (section 6.1). A second request for the same address
  /// that is pending is rejected; otherwise it makes another subscription.
  ///
  /// @param jid the address to subscribe
  /// @param id the identifier of the new subscription
  /// @param full whether there may be no more subscriptions, of anyone or of this user
  public Outcome subscribe(
      Requester requester, Jid jid, String id, SubscriptionOptions options, boolean full) {
    if (!jid.bare().equals(requester.jid().bare())) {
      return refused(ErrorCondition.BAD_REQUEST, "invalid-jid");
    }
    Refusal refusal = refuseAccess(requester);
    if (refusal != null) {
      return new Outcome.Refused(refusal);
    }
    if (!config.isOn(NodeOption.SUBSCRIBE)) {
      return new Outcome.Refused(Refusal.unsupported("subscribe"));
    }
    List<Subscription> own = subscriptionsOf(jid);
    if (config.isCollection() && own.stream().anyMatch(each -> each.repeats(jid, options))) {
      return new Outcome.Refused(Refusal.of(ErrorCondition.CONFLICT));
    }
    if (own.stream().anyMatch(each -> each.state() == Subscription.State.PENDING)) {
      return refused(ErrorCondition.NOT_AUTHORIZED, "pending-subscription");
    }
    if (own.size() >= SUBSCRIPTIONS_OF_USER || full) {
      return refused(ErrorCondition.POLICY_VIOLATION, "too-many-subscriptions");
    }
    boolean approved = !needsApproval(requester) || isSubscribed(requester.jid());
    Subscription added =
        new Subscription(
            id,
            jid,
            approved ? Subscription.State.SUBSCRIBED : Subscription.State.PENDING,
            options);
    return new Outcome.Done(with(added), added);
  }

  /// Finds the subscription that a request means (sections 6.2 and 6.3).
  ///
  /// @param jid the subscribed address
  /// @param id its identifier, or null if the request does not say it
  public Outcome find(Jid requester, Jid jid, @Nullable String id) {
    if (!jid.bare().equals(requester.bare())) {
      return new Outcome.Refused(FORBIDDEN);
    }
    List<Subscription> own =
        subscriptions.values().stream().filter(each -> each.subscriber().equals(jid)).toList();
    if (own.isEmpty()) {
      return refused(ErrorCondition.UNEXPECTED_REQUEST, "not-subscribed");
    }
    if (id == null) {
      return own.size() > 1
          ? refused(ErrorCondition.BAD_REQUEST, "subid-required")
          : new Outcome.Done(this, own.getFirst());
    }
    for (Subscription each : own) {
      if (each.id().equals(id)) {
        return new Outcome.Done(this, each);
      }
    }
    return refused(ErrorCondition.NOT_ACCEPTABLE, "invalid-subid");
  }

  private static Outcome refused(ErrorCondition condition, String detail) {
    return new Outcome.Refused(Refusal.of(condition, detail));
  }

  /// This node with that subscription; without it if its state is `none`.
  public Node with(Subscription subscription) {
    Map<String, Subscription> changed = new LinkedHashMap<>(subscriptions);
    if (subscription.state() == Subscription.State.NONE) {
      changed.remove(subscription.id());
    } else {
      changed.put(subscription.id(), subscription);
    }
    return new Node(name, creator, created, config, affiliations, changed);
  }

  // --- changes of an owner ----------------------------------------------------------------------

  /// This node with another affiliation of a user (section 8.9). Pending subscriptions of a new
  /// owner, publisher or member are approved, subscriptions of an outcast end (section 8.7.4).
  ///
  /// @return null if the node would have no owner
  public @Nullable Node withAffiliation(Jid user, Affiliation affiliation) {
    Map<Jid, Affiliation> changed = new LinkedHashMap<>(affiliations);
    if (affiliation == Affiliation.NONE) {
      changed.remove(user.bare());
    } else {
      changed.put(user.bare(), affiliation);
    }
    if (!changed.containsValue(Affiliation.OWNER)) {
      return null;
    }
    Map<String, Subscription> kept = new LinkedHashMap<>();
    subscriptions.forEach((id, each) -> {
      if (!each.isOf(user)) {
        kept.put(id, each);
        return;
      }
      switch (affiliation) {
        case OUTCAST -> {}
        case OWNER, PUBLISHER, MEMBER ->
            kept.put(id, each.withState(Subscription.State.SUBSCRIBED));
        case PUBLISH_ONLY, NONE -> kept.put(id, each);
      }
    });
    return new Node(name, creator, created, config, changed, kept);
  }

  /// This node without anything of a user whose account was removed, except that it is an outcast.
  /// It may have no owner then.
  public Node withoutUser(Jid user) {
    Map<Jid, Affiliation> kept = new LinkedHashMap<>(affiliations);
    if (kept.get(user.bare()) != Affiliation.OUTCAST) {
      kept.remove(user.bare());
    }
    Node changed = withoutSubscriptions(each -> each.isOf(user));
    return new Node(name, creator, created, config, kept, changed.subscriptions);
  }

  /// Whether it has an owner.
  public boolean hasOwner() {
    return affiliations.containsValue(Affiliation.OWNER);
  }

  /// This node with another configuration.
  public Node withConfig(NodeConfig changed) {
    return new Node(name, creator, created, changed, affiliations, subscriptions);
  }

  /// This node without the subscriptions that match.
  public Node withoutSubscriptions(Predicate<Subscription> which) {
    Map<String, Subscription> kept = new LinkedHashMap<>(subscriptions);
    kept.values().removeIf(which);
    return kept.size() == subscriptions.size()
        ? this
        : new Node(name, creator, created, config, affiliations, kept);
  }

  /// This node without the subscriptions that have ended by that time (section 12.18).
  public Node withoutEnded(Instant now) {
    for (Subscription each : subscriptions.values()) {
      if (each.options().hasEnded(now)) {
        return withoutSubscriptions(ended -> ended.options().hasEnded(now));
      }
    }
    return this;
  }

  /// Whether the presence of subscribers or publishers matters to a node of a service.
  public boolean needsPresence() {
    return config.isOn(NodeOption.PRESENCE_BASED_DELIVERY)
        || config.isOn(NodeOption.TEMPSUB)
        || config.isOn(NodeOption.PURGE_OFFLINE)
        || config.value(NodeOption.SEND_LAST_PUBLISHED_ITEM).equals("on_sub_and_presence")
        || subscriptions.values().stream().anyMatch(each -> each.options().temporary());
  }

  /// Whether a subscription ends when its subscriber goes offline (section 12.4).
  public boolean isTemporary(Subscription subscription) {
    return config.isOn(NodeOption.TEMPSUB) || subscription.options().temporary();
  }

  /// Whether a subscription to this collection gets a notification from one of its descendants
  /// (XEP-0248, section 5.1).
  ///
  /// @param type what the notification is about: `ITEMS` or `NODES`
  /// @param depth the level of the descendant; 1 for a child
  public boolean notifies(
      Subscription subscription, Requester requester, SubscriptionOptions.Type type, int depth) {
    return notifies(subscription, requester)
        && subscription.options().type().overlaps(type)
        && depth <= subscription.options().depth();
  }

  /// Whether the user may make nodes children of this collection (XEP-0248, section 6.2).
  public boolean mayAssociate(Jid user) {
    return isOwner(user)
        || switch (config.value(NodeOption.CHILDREN_ASSOCIATION_POLICY)) {
          case "all" -> affiliation(user) != Affiliation.OUTCAST;
          case "whitelist" ->
              config
                  .all(NodeOption.CHILDREN_ASSOCIATION_WHITELIST)
                  .contains(user.bare().toString());
          default -> false;
        };
  }

  /// Whether everyone may learn that the node exists. Derived nodes are found by their names.
  public boolean isListed() {
    return !DerivedNode.isReserved(name)
        && !config.value(NodeOption.ACCESS_MODEL).equals("whitelist");
  }

  /// How many entries it has: subscriptions and affiliations.
  public int entries() {
    return subscriptions.size() + affiliations.size();
  }
}
