package im.zonda.module.strangers;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.strangers.HeldMessages.Held;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds the messages of strangers and delivers them when the account knows the sender. Used in the
/// mailboxes of homes.
///
/// A message is in the store before it has been handled, and leaves the store when the log has it,
/// or its sender's link has the error that returns it: after a crash in between it is delivered or
/// returned twice. While messages of a sender are held, later ones are held as well, so that all
/// keep their order.
final class MessageHold {
  private static final Logger LOG = LoggerFactory.getLogger(MessageHold.class);

  /// How long a message is held.
  static final Duration TIME = Duration.ofDays(30);

  /// The pause before another attempt, when the log or the store does not accept something.
  static final Duration RETRY = Duration.ofMinutes(1);

  private static final Verdict NO_ROOM =
      new Verdict.Refuse(
          StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
              .withText("Too many messages wait until the receiver accepts their senders."));

  /// A message that is being delivered or returned, and is still in the store.
  record Leaving(Jid account, String key) {}

  private final ModuleContext context;
  private final KeyValueStore store;
  private final MessageLog log;
  private final HomeKey<HeldMessages> key;
  private final BiPredicate<Home, Jid> stranger;
  private final BiPredicate<Home, Jid> blocked;
  private final Set<Leaving> leaving;

  /// @param stranger whether messages of a bare address are not delivered
  /// @param blocked whether an address is blocked
  /// @param leaving a concurrent set, which outlives this object
  MessageHold(
      ModuleContext context,
      BiPredicate<Home, Jid> stranger,
      BiPredicate<Home, Jid> blocked,
      Set<Leaving> leaving) {
    this.context = context;
    this.store = context.keyValues("held");
    this.log = context.port(MessageLog.class);
    this.key = new HomeKey<>("held", account -> read(account, store.all(account)));
    this.stranger = stranger;
    this.blocked = blocked;
    this.leaving = leaving;
    context.addHomeState(key);
  }

  private HeldMessages read(Jid account, Map<String, byte[]> stored) {
    return HeldMessages.of(account, stored, each -> leaving.contains(new Leaving(account, each)));
  }

  /// Whether messages of a bare address are held.
  boolean holdsOf(Home home, Jid bare) {
    return home.exists() && home.state(key).hasOf(bare);
  }

  /// Holds a message, unless there is no room for it.
  ///
  /// @param from its sender
  Verdict hold(Home home, Message message, Jid from) {
    byte[] value = HeldMessages.stored(from, message);
    if (!home.state(key).hasRoom(from.bare(), value.length)) {
      reviewLater(home);
      return NO_ROOM;
    }
    return new Verdict.Keep(
        later -> {
          HeldMessages held = later.state(key);
          String next = held.nextKey(context.clock().instant());
          store.put(later.jid(), next, value);
          held.add(next, value);
          reviewLater(later);
        },
        Reason.STRANGER_HELD);
  }

  /// Has the held messages looked at that need no longer be held, if there are any.
  void reviewLater(Home home) {
    if (home.exists() && home.state(key).all().stream().anyMatch(each -> ends(home, each))) {
      reviewAfter(home.jid());
    }
  }

  /// The same after what is being handled, which may make a sender known.
  void reviewAfter(Jid account) {
    context.atHome(account, this::review);
  }

  private boolean ends(Home home, Held message) {
    return isExpired(message)
        || blocked.test(home, message.sender())
        || !stranger.test(home, message.sender().bare());
  }

  private boolean isExpired(Held message) {
    return message.time().isBefore(context.clock().instant().minus(TIME));
  }

  /// Delivers the messages of senders who are known, and returns those that may no longer be held.
  private void review(Home home) {
    if (!home.exists()) {
      return;
    }
    Map<String, byte[]> stored = store.all(home.jid());
    HeldMessages held = home.state(key);
    held.replaceBy(read(home.jid(), stored));
    int expired = 0;
    for (Held each : held.all()) {
      if (!ends(home, each)) {
        continue;
      }
      Message message =
          HeldMessages.read(home.jid(), each, Objects.requireNonNull(stored.get(each.key())));
      if (message == null) {
        held.remove(each); // it stays in the store
      } else if (!act(home, each, message)) {
        context.scheduler().schedule(RETRY, () -> reviewAfter(home.jid()));
        break;
      } else if (isExpired(each)) {
        expired++;
      }
    }
    if (expired > 0) {
      LOG.atInfo()
          .addKeyValue("owner", home.jid())
          .addKeyValue("messages", expired)
          .log("held_messages_expired");
    }
  }

  /// Delivers or returns a message that need no longer be held; false if the log accepts nothing at
  /// present.
  private boolean act(Home home, Held held, Message message) {
    if (log.nearlyFull() || !log.state().acceptsForLater()) {
      return false;
    }
    try {
      if (blocked.test(home, held.sender())) {
        giveBack(home, held, message, ErrorCondition.SERVICE_UNAVAILABLE);
      } else if (stranger.test(home, held.sender().bare())) {
        giveBack(home, held, message, ErrorCondition.SUBSCRIPTION_REQUIRED);
      } else {
        deliver(home, held, message.withAddresses(message.from(), home.jid()));
      }
    } catch (StoreException e) {
      LOG.atWarn().addKeyValue("owner", home.jid()).setCause(e).log("held_message_not_delivered");
      return false;
    }
    return true;
  }

  private void deliver(Home home, Held held, Message message) {
    leave(
        home,
        held,
        origin -> context.deliverLate(home, new Envelope(message, origin, null), held.time()));
  }

  /// Answers the sender with an error, as the message is not held any longer.
  private void giveBack(Home home, Held held, Message message, ErrorCondition condition) {
    Message error = Message.error(message, StanzaError.of(condition));
    leave(home, held, origin -> context.send(new Envelope(error, origin, null)));
  }

  /// Does the last thing that is done with a message, and removes it when that is durable.
  private void leave(Home home, Held held, Consumer<Origin> last) {
    Leaving message = new Leaving(home.jid(), held.key());
    leaving.add(message);
    HeldOrigin origin =
        new HeldOrigin(() -> context.atHome(message.account(), at -> remove(message)));
    try {
      last.accept(origin);
    } catch (RuntimeException e) {
      leaving.remove(message);
      throw e;
    }
    home.state(key).remove(held);
    origin.release();
  }

  private void remove(Leaving message) {
    try {
      store.remove(message.account(), message.key());
      leaving.remove(message);
    } catch (StoreException e) {
      if (!e.retryable()) {
        throw e;
      }
      context
          .scheduler()
          .schedule(RETRY, () -> context.atHome(message.account(), home -> remove(message)));
    }
  }
}
