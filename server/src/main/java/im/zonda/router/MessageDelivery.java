package im.zonda.router;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.DeliveryListener;
import im.zonda.module.StorageRule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings a message to the sessions that are to have it, and into the log (RFC 6121, section 8.5).
///
/// Delivery does not wait for the log. An entry waits in the log until a client has the message, so
/// that whatever happens on the way it is delivered at the next login.
final class MessageDelivery {
  /// In place of an id: the log did not take what it must have.
  private static final long LOST = -1;

  private final StanzaRouter router;
  private final MessageLog log;
  private final Commits commits;
  private final ServerConfig.Storage storage;
  private final int offlineMessages;
  private final Keep keep;

  MessageDelivery(StanzaRouter router, MessageLog log, Commits commits, ServerConfig config) {
    this.router = router;
    this.commits = commits;
    this.log = log;
    this.storage = config.storage();
    this.offlineMessages = config.limits().offlineMessages();
    this.keep = storage.archive() ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED;
  }

  /// Keeps the sender's own copy, if messages are archived, and tells those who listen. False if it
  /// cannot be kept, but must be because its sender will be told that it is.
  boolean sent(AccountHome home, Message message, LocalSession session, Origin origin) {
    long id = keepSent(home, message, origin);
    if (id == LOST) {
      return false;
    }
    for (DeliveryListener listener : home.dispatch().deliveryListeners()) {
      listener.sent(home, message, id, session);
    }
    return true;
  }

  /// The id of the sender's own copy, 0 if there need be none, or [#LOST].
  private long keepSent(AccountHome home, Message message, Origin origin) {
    Jid to = message.to();
    if (to == null
        || to.local() == null
        || to.bare().equals(home.jid()) // its one copy is made when it arrives
        || keep(home, message) != Keep.ARCHIVE) {
      return 0;
    }
    long id = log.nextId();
    try {
      Entry entry = new Entry(home.jid(), id, to, message);
      commits.await(log.append(entry, Keep.ARCHIVE, false), message, origin);
      return id;
    } catch (StoreException e) {
      router.stats().unlogged.increment();
      return origin.acknowledges() ? LOST : 0;
    }
  }

  private static void tell(AccountHome home, Message message, List<LocalSession> targets) {
    for (DeliveryListener listener : home.dispatch().deliveryListeners()) {
      listener.delivered(home, message, targets);
    }
  }

  /// Delivers, stores, refuses or drops a message at the home of its receiver.
  void deliver(AccountHome home, Message message, @Nullable Origin origin) {
    Jid to = message.to();
    if (!home.exists() || to == null) {
      // Section 8.5.1.
      router.refuse(message, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    String resource = to.resource();
    LocalSession addressed = resource == null ? null : home.session(resource);
    if (addressed != null) {
      // Section 8.5.3.1.
      send(home, message, List.of(addressed), origin);
    } else if (resource == null) {
      toAccount(home, message, origin);
    } else {
      // Section 8.5.3.2.1: only chat falls back to the account.
      switch (message.type()) {
        case CHAT -> toAccount(home, message, origin);
        case NORMAL, GROUPCHAT ->
            router.refuse(message, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
        case HEADLINE, ERROR -> tell(home, message, List.of());
      }
    }
  }

  /// Section 8.5.2: to the bare address.
  private void toAccount(AccountHome home, Message message, @Nullable Origin origin) {
    switch (message.type()) {
      case NORMAL, CHAT -> {
        List<LocalSession> targets = mostAvailable(home);
        if (targets.isEmpty()) {
          store(home, message, origin);
        } else {
          send(home, message, targets, origin);
        }
      }
      case HEADLINE -> send(home, message, notNegative(home), origin);
      case GROUPCHAT -> router.refuse(message, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      case ERROR -> tell(home, message, List.of());
    }
  }

  private void send(
      AccountHome home, Message message, List<LocalSession> targets, @Nullable Origin origin) {
    Message stamped = message;
    Receipt receipt = null;
    Keep lasting = storage.durable() ? keep(home, message) : null;
    if (lasting != null) {
      long id = log.nextId();
      stamped = stamp(message, home.jid(), id);
      receipt = append(new Entry(home.jid(), id, with(message), stamped), lasting, origin);
      if (receipt == null && origin != null && origin.acknowledges()) {
        // Whoever forgets the message once it is acknowledged must know that it was not kept.
        router.refuse(message, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
        return;
      }
      if (receipt != null) {
        handOut(home, stamped, id, receipt, targets);
        tell(home, stamped, targets);
        return;
      }
    }
    for (int i = 0; i < targets.size(); i++) {
      router.stats().delivered.increment();
      targets.get(i).send(stamped);
    }
    tell(home, stamped, targets);
  }

  /// To sessions that read the log the message comes from there, in its place; the others get it
  /// now.
  private void handOut(
      AccountHome home, Message message, long id, Receipt receipt, List<LocalSession> targets) {
    boolean read = false;
    for (int i = 0; i < targets.size(); i++) {
      LocalSession target = targets.get(i);
      if (target.readsLog()) {
        home.waiting(AccountHome.UNKNOWN);
        read = true;
      }
    }
    for (int i = 0; i < targets.size(); i++) {
      LocalSession target = targets.get(i);
      if (!target.readsLog()) {
        router.stats().delivered.increment();
        // While one has still to read it, it goes on waiting.
        target.send(message, Logged.live(id, read ? null : receipt));
      }
    }
  }

  private void store(AccountHome home, Message message, @Nullable Origin origin) {
    Keep lasting = keep(home, message);
    if (lasting == null) {
      tell(home, message, List.of());
      return;
    }
    if (home.waiting() >= offlineMessages || !log.state().acceptsForLater()) {
      router.refuse(message, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
      return;
    }
    long id = log.nextId();
    Message stamped = stamp(message, home.jid(), id);
    if (append(new Entry(home.jid(), id, with(message), stamped), lasting, origin) == null) {
      router.refuse(message, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
      return;
    }
    router.stats().stored.increment();
    if (home.waiting() != AccountHome.UNKNOWN) {
      home.waiting(home.waiting() + 1);
    }
    tell(home, stamped, List.of());
  }

  private @Nullable Receipt append(Entry entry, Keep keep, @Nullable Origin origin) {
    Receipt receipt;
    try {
      receipt = log.append(entry, keep, true);
    } catch (StoreException e) {
      router.stats().unlogged.increment();
      return null;
    }
    if (origin != null) {
      commits.await(receipt, entry.message(), origin);
      commits.slowDown(origin);
    }
    return receipt;
  }

  private static Message stamp(Message message, Jid by, long id) {
    return message.withPayload(StanzaIds.NAME, StanzaIds.write(by, id));
  }

  private static Jid with(Message message) {
    Jid from = message.from();
    if (from == null) {
      throw new IllegalArgumentException("a message to deliver has a sender");
    }
    return from;
  }

  /// How long the log keeps the message, or null if it does not belong there.
  private @Nullable Keep keep(AccountHome home, Message message) {
    if (message.type() == Message.Type.GROUPCHAT) {
      // The room keeps it, whatever the message asks for: it would be kept once for everybody.
      return null;
    }
    Keep longest = keep;
    for (StorageRule rule : home.dispatch().storageRules()) {
      switch (rule.decide(message, home)) {
        case STORE -> {
          return longest;
        }
        case SKIP -> {
          return null;
        }
        case UNTIL_DELIVERED -> longest = Keep.UNTIL_DELIVERED;
        case UNDECIDED -> {}
      }
    }
    return switch (message.type()) {
      case NORMAL, CHAT -> message.hasBody() ? longest : null;
      case HEADLINE, GROUPCHAT, ERROR -> null;
    };
  }

  /// The sessions of the highest priority that is not negative.
  private static List<LocalSession> mostAvailable(AccountHome home) {
    List<LocalSession> sessions = home.sessions();
    if (sessions.size() == 1) {
      return sessions.getFirst().priority() >= 0 ? sessions : List.of();
    }
    int highest = 0;
    for (LocalSession session : sessions) {
      highest = Math.max(highest, session.priority());
    }
    List<LocalSession> targets = new ArrayList<>(sessions.size());
    for (LocalSession session : sessions) {
      if (session.priority() == highest) {
        targets.add(session);
      }
    }
    return targets;
  }

  private static List<LocalSession> notNegative(AccountHome home) {
    return home.sessions().stream().filter(session -> session.priority() >= 0).toList();
  }
}
