package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A subscription to a node (XEP-0060, section 4.2).
///
/// @param id its identifier, unique at the node
/// @param subscriber the subscribed address, bare or full
/// @param state its state
/// @param options its options
public record Subscription(String id, Jid subscriber, State state, SubscriptionOptions options) {
  /// The states of a subscription.
  public enum State {
    NONE,
    PENDING,
    SUBSCRIBED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// The word for it in requests and in the store.
    public String word() {
      return word;
    }

    /// The state of that word, or null.
    public static @Nullable State of(@Nullable String word) {
      for (State each : values()) {
        if (each.word.equals(word)) {
          return each;
        }
      }
      return null;
    }
  }

  /// The same in another state.
  public Subscription withState(State other) {
    return new Subscription(id, subscriber, other, options);
  }

  /// The same with other options.
  public Subscription withOptions(SubscriptionOptions other) {
    return new Subscription(id, subscriber, state, other);
  }

  /// Whether another subscription of the address to the same collection with these options would be
  /// about the same (XEP-0248, section 5.1.3).
  boolean repeats(Jid jid, SubscriptionOptions others) {
    return subscriber.equals(jid) && options.type().overlaps(others.type());
  }

  /// Whether it is of that user.
  public boolean isOf(Jid user) {
    return subscriber.bare().equals(user.bare());
  }
}
