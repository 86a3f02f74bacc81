package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The nodes with lists of subscriptions (XEP-0465, XEP-0376). Only the server changes them.
public final class SubscriptionLists {
  /// The namespace of payloads, and the feature.
  public static final String NAMESPACE = "urn:xmpp:pps:0";

  /// The node of an account with the account's public subscriptions.
  public static final String SUBSCRIPTIONS = "urn:xmpp:pps:subscriptions:0";

  /// The node of an account with all subscriptions that the server manages for the account; nobody
  /// else sees it.
  public static final String MANAGED = "urn:xmpp:pam:0";

  private static final String SUBSCRIBERS = "urn:xmpp:pps:subscribers:0/";

  private SubscriptionLists() {}

  /// Whether only the server creates a node of that name.
  public static boolean isReserved(@Nullable String name) {
    return name != null
        && (name.equals(SUBSCRIPTIONS) || name.equals(MANAGED) || name.startsWith(SUBSCRIBERS));
  }

  /// The name of the node with the public subscribers of another one.
  public static String subscribersOf(String node) {
    return SUBSCRIBERS + node;
  }

  /// The name of the node whose public subscribers a node has; null if it has none. The nodes that
  /// the server derives have no public subscribers.
  public static @Nullable String targetOf(String name) {
    String target = name.startsWith(SUBSCRIBERS) ? name.substring(SUBSCRIBERS.length()) : "";
    return target.isEmpty() || DerivedNode.isReserved(target) ? null : target;
  }

  /// Whether a user has a public subscription to a node.
  public static boolean isPublicSubscriber(Node node, Jid user) {
    return node.subscriptionsOf(user).stream().anyMatch(SubscriptionLists::isPublic);
  }

  /// Whether others learn of a subscription.
  public static boolean isPublic(Subscription subscription) {
    return subscription.options().isPublic()
        && subscription.state() == Subscription.State.SUBSCRIBED;
  }
}
