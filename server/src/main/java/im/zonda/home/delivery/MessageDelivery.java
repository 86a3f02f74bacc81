package im.zonda.home.delivery;

import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import im.zonda.home.AckOnCommit;
import im.zonda.home.DeliverySteps;
import im.zonda.home.OriginLookup;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.account.HostAccounts;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.LogAction;
import im.zonda.home.session.WaitingMessages.Room;
import im.zonda.hook.DeliveryListener;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.MessageLog.Receipt;
import im.zonda.store.MessageLog.SentCopy;
import im.zonda.store.StanzaIdentity;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers a message to the sessions that must get it, and appends it to the log (RFC 6121,
/// section 8.5).
///
/// Delivery does not wait for the log. An entry waits in the log until a client has the message, so
/// that it is delivered at the next login if it is lost on the way.
public final class MessageDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(MessageDelivery.class);

  private final AccountRegistry registry;
  private final ErrorReplies errors;
  private final DeliverySteps steps;
  private final MessageLog log;
  private final StanzaIds stanzaIds;
  private final AckOnCommit ackOnCommit;
  private final Storage storage;
  private final Keep keep;
  private final boolean origins;
  private final OriginLookup lookup;

  public MessageDelivery(
      AccountRegistry registry,
      MessageLog log,
      StanzaIds stanzaIds,
      AckOnCommit ackOnCommit,
      OriginLookup lookup,
      ServerConfig config) {
    this.registry = registry;
    this.errors = registry.routes().errors();
    this.steps = new DeliverySteps(errors.tracing());
    this.ackOnCommit = ackOnCommit;
    this.log = log;
    this.stanzaIds = stanzaIds;
    this.storage = config.storage();
    this.keep = storage.archive() ? Keep.ARCHIVE : Keep.UNTIL_DELIVERED;
    this.origins = lookup.keepsOrigins();
    this.lookup = lookup;
  }

  /// Sends a message of a client on its way, and stores the sender's own copy if messages are
  /// archived: together with the receiver's entry if that is appended meanwhile, otherwise alone.
  /// Blocks if a former home of the sender may have stored it ([Origin#age]).
  public void send(AccountHome home, Message message, LocalSession session, Envelope envelope) {
    Entry copy = ownCopy(home, message, envelope.origin());
    if (copy == null) {
      notifySent(home, message, 0, session);
      registry.routes().route(envelope.withStanza(message));
    } else if (isStoredAlready(copy, envelope.origin())) {
      registry
          .routes()
          .route(envelope.withStanza(message)); // the receiver's home asks for its entry
    } else if (log.nearlyFull() || !(registry.routes().to(copy.with()) instanceof HostAccounts)) {
      if (appendSent(copy, envelope)) {
        notifySent(home, message, copy.id(), session);
        registry.routes().route(envelope.withStanza(message));
      }
    } else {
      notifySent(home, message, copy.id(), session);
      SentCopy sent = new OwnCopy(copy, new AtomicBoolean());
      try {
        registry.routes().route(envelope.withSent(message, sent));
      } finally {
        if (sent.take()) {
          boolean _ = appendSent(copy, envelope);
        }
      }
    }
  }

  private record OwnCopy(Entry entry, AtomicBoolean taken) implements SentCopy {
    @Override
    public boolean take() {
      return taken.compareAndSet(false, true);
    }
  }

  /// The identity by which the log recognises the message.
  private long identity(Origin origin, @Nullable Jid address, Message message) {
    return origins ? StanzaIdentity.at(origin.identity(), address, message) : 0;
  }

  /// Whether the log has the sender's own copy, because a former home that died has appended it:
  /// alone, or as a part of the receiver's entry.
  private boolean isStoredAlready(Entry copy, Origin origin) {
    if (!origins || origin.age() == 0) {
      return false;
    }
    long received = identity(origin, copy.with(), copy.message());
    return lookup.hasSentCopy(copy.origin(), received, Duration.ofMillis(origin.age()));
  }

  private static void notifySent(AccountHome home, Message message, long id, LocalSession session) {
    for (DeliveryListener listener : home.dispatch().deliveryListeners()) {
      listener.sent(home, message, id, session);
    }
  }

  /// The sender's own copy, or null if there need be none.
  private @Nullable Entry ownCopy(AccountHome home, Message message, Origin origin) {
    Jid to = message.to();
    if (to == null
        || to.local() == null
        || to.bare().equals(home.jid()) // its one copy is stored when it is delivered
        || keep(home, message) != Keep.ARCHIVE) {
      return null;
    }
    long id = log.nextId();
    home.appended(id);
    return new Entry(home.jid(), id, to, message, identity(origin, home.jid(), message));
  }

  /// Stores the sender's own copy. If it cannot be stored and must be, because its sender gets an
  /// acknowledgement, the sender gets an error and the result is false.
  private boolean appendSent(Entry copy, Envelope envelope) {
    try {
      ackOnCommit.await(
          log.append(copy, Keep.ARCHIVE, false), copy.message(), envelope.origin(), null);
      return true;
    } catch (StoreException e) {
      registry.stats().unlogged.increment();
      if (envelope.origin().acknowledges()) {
        reject(envelope.withStanza(copy.message()), Reason.STORE_UNAVAILABLE);
        return false;
      }
      return true;
    }
  }

  private static void notifyDelivered(
      AccountHome home, Message message, List<LocalSession> targets) {
    for (DeliveryListener listener : home.dispatch().deliveryListeners()) {
      try {
        listener.delivered(home, message, targets);
      } catch (RuntimeException e) {
        // The message has been delivered: its sender must not get an error for it.
        LOG.atError().addKeyValue("home", home.jid()).setCause(e).log("delivery_listener_failed");
      }
    }
  }

  /// Delivers a message that a module has kept since `time`, as [#deliver]. May block.
  public void deliverLate(AccountHome home, Envelope envelope, Instant time) {
    if (!(envelope.stanza() instanceof Message message)) {
      throw new IllegalArgumentException("not a message");
    }
    if (home.waiting().room(home.dispatch().limits().offlineMessages()) == Room.UNKNOWN) {
      home.count(log); // here, as each of several messages would be put before the others
    }
    deliver(home, envelope.withStanza(home.dispatch().markLate(message, time)));
  }

  /// Delivers, stores or rejects a message at the home of its receiver.
  public void deliver(AccountHome home, Envelope envelope) {
    if (!(envelope.stanza() instanceof Message message)) {
      throw new IllegalArgumentException("not a message");
    }
    Jid to = message.to();
    if (!home.isReachable() || to == null) {
      // Section 8.5.1.
      reject(envelope, Reason.NO_SUCH_ACCOUNT);
      return;
    }
    String resource = to.resource();
    LocalSession addressed = resource == null ? null : home.session(resource);
    if (!envelope.others().isEmpty()) {
      toSeveral(home, message, envelope);
    } else if (addressed != null) {
      // Section 8.5.3.1.
      send(home, message, List.of(addressed), envelope);
    } else if (resource == null) {
      toAccount(home, message, envelope);
    } else {
      toAbsent(home, message, envelope);
    }
  }

  /// Section 8.5.3.2.1: only chat falls back to the account.
  private void toAbsent(AccountHome home, Message message, Envelope envelope) {
    switch (message.type()) {
      case CHAT -> toAccount(home, message, envelope);
      case NORMAL, GROUPCHAT -> reject(envelope, Reason.NO_SUCH_SESSION);
      case HEADLINE, ERROR -> notifyDelivered(home, message, List.of());
    }
  }

  /// To several sessions of the account, as one message of its log. The author gets an error only
  /// if none of them is there; the room that has sent it learns of each that is not.
  private void toSeveral(AccountHome home, Message message, Envelope envelope) {
    AccountHome.Named named = home.named(envelope);
    List<Jid> absent = named.absent();
    if (named.present().isEmpty()) {
      toAbsent(home, message, envelope);
      absent = absent.subList(1, absent.size());
    } else {
      Envelope there = named.forPresent(envelope);
      send(home, (Message) there.stanza(), named.present(), there);
    }
    if (message.type() == Message.Type.NORMAL) {
      for (Jid each : absent) {
        Envelope missed = envelope.withSessions(List.of(each)).withAuthor(null);
        reject(missed, Reason.NO_SUCH_SESSION);
      }
    }
  }

  /// Section 8.5.2: to the bare address.
  private void toAccount(AccountHome home, Message message, Envelope envelope) {
    switch (message.type()) {
      case NORMAL, CHAT -> send(home, message, home.mostAvailable(), envelope);
      case HEADLINE -> send(home, message, home.notNegative(), envelope);
      case GROUPCHAT -> reject(envelope, Reason.NOT_FOR_ACCOUNTS);
      case ERROR -> notifyDelivered(home, message, List.of());
    }
  }

  /// Sends to these sessions, and appends to the log if the message belongs there. If there is no
  /// session, it waits in the log.
  private void send(
      AccountHome home, Message message, List<LocalSession> targets, Envelope envelope) {
    Keep lasting = targets.isEmpty() || storage.durable() ? keep(home, message) : null;
    if (lasting == null) {
      if (targets.isEmpty() && !home.exists() && message.type() != Message.Type.HEADLINE) {
        reject(envelope, Reason.GUEST_NOT_ALLOWED); // a guest who is not available
      } else {
        sendUnlogged(home, message, targets, envelope);
      }
      return;
    }
    boolean read = isReadByAny(targets);
    boolean live = isLiveForAny(targets);
    if (read || !live) {
      switch (home.waiting().room(home.dispatch().limits().offlineMessages())) {
        case FREE -> {}
        case FULL -> {
          if (!live) {
            reject(envelope, Reason.OFFLINE_FULL);
            return;
          }
          // Another session gets it at once; those that read the log may find it delivered.
          read = false;
        }
        case UNKNOWN -> {
          countAndDeliver(home, envelope);
          return;
        }
      }
    }
    if (targets.isEmpty() && !mayWait(envelope.origin())) {
      reject(envelope, Reason.STORE_UNAVAILABLE);
      return;
    }
    Entry sent = takeSent(home, message, envelope);
    long id = sent == null ? log.nextId() : sent.id();
    home.appended(id);
    Message stamped = stamp(message, home.jid(), id);
    long origin = origins ? envelope.receivedIdentity(envelope.origin().identity()) : 0;
    Entry received = new Entry(home.jid(), id, with(message), stamped, origin);
    Receipt receipt = append(home, received, lasting, sent, envelope, targets.isEmpty());
    if (receipt != null) {
      boolean waits = read || !live;
      if (waits) {
        home.waiting().joined();
      }
      List<LocalSession> sentTo = read ? sentTo(targets) : List.of();
      LogAction entry =
          sentTo.isEmpty()
              ? new LogAction.Live(id, receipt, waits ? home.waiting() : null)
              : home.shared().add(id, receipt, home.waiting(), sentTo);
      handOut(home, stamped, targets, entry, envelope);
    } else if (targets.isEmpty() || envelope.origin().acknowledges()) {
      // The sender forgets what is acknowledged, so it must get an error if it is not stored.
      reject(envelope, Reason.STORE_UNAVAILABLE);
    } else {
      sendUnlogged(home, stamped, targets, envelope);
    }
  }

  private static boolean isReadByAny(List<LocalSession> targets) {
    for (int i = 0; i < targets.size(); i++) {
      if (targets.get(i).readsLog()) {
        return true;
      }
    }
    return false;
  }

  /// Whether a client gets the message at once: it has a stream and does not read the log.
  private static boolean isLiveForAny(List<LocalSession> targets) {
    for (int i = 0; i < targets.size(); i++) {
      LocalSession target = targets.get(i);
      if (!target.readsLog() && !target.isDetached()) {
        return true;
      }
    }
    return false;
  }

  /// The sessions that [#handOut] sends the message to.
  private static List<LocalSession> sentTo(List<LocalSession> targets) {
    return targets.stream().filter(target -> !target.readsLog()).toList();
  }

  /// Sends a message that is in the log, except to sessions that read the log: they find it there,
  /// in its order.
  private void handOut(
      AccountHome home,
      Message message,
      List<LocalSession> targets,
      LogAction entry,
      Envelope envelope) {
    if (targets.isEmpty()) {
      registry.stats().stored.increment();
      boolean away = home.sessions().isEmpty();
      Reason reason = away ? Reason.NOT_CONNECTED : Reason.NO_AVAILABLE_SESSION;
      errors.record(envelope, Place.HOME, reason, null);
    }
    for (int i = 0; i < targets.size(); i++) {
      LocalSession target = targets.get(i);
      if (!target.readsLog()) {
        registry.stats().delivered.increment();
        Runnable note = noting(target, envelope);
        LogAction noted = note == null ? entry : new LogAction.Noted(entry, note);
        target.send(copyFor(target, message, envelope), noted, envelope.origin().since());
      }
    }
    notifyDelivered(home, message, targets);
  }

  /// A message as one of its sessions gets it: under the session's own address if the envelope
  /// names that.
  private static Message copyFor(LocalSession session, Message message, Envelope envelope) {
    return envelope.others().contains(session.jid())
        ? message.withAddresses(message.from(), session.jid())
        : message;
  }

  private void sendUnlogged(
      AccountHome home, Message message, List<LocalSession> targets, Envelope envelope) {
    if (targets.isEmpty() && message.hasBody()) {
      errors.record(envelope, Place.HOME, Reason.NOT_STORED, null);
    }
    for (int i = 0; i < targets.size(); i++) {
      LocalSession target = targets.get(i);
      registry.stats().delivered.increment();
      Runnable noted = noting(target, envelope);
      target.send(copyFor(target, message, envelope), noted, envelope.origin().since());
    }
    notifyDelivered(home, message, targets);
  }

  /// Counts the waiting messages in the log, which may block, and then delivers the message before
  /// anything else happens at the home.
  private void countAndDeliver(AccountHome home, Envelope envelope) {
    registry.submitNext(
        home,
        envelope,
        later -> {
          boolean counted = count(later);
          deliver(later, envelope);
          if (!counted) {
            later.waiting().joinedUncounted();
          }
        });
  }

  /// Counts the waiting messages in the log. False if it cannot be read at present: then the
  /// message is judged by what is known, because one that is rejected in an outage and sent again
  /// comes after later ones.
  private boolean count(AccountHome home) {
    try {
      home.count(log);
      return true;
    } catch (StoreException e) {
      if (!e.retryable()) {
        throw e;
      }
      LOG.atDebug().addKeyValue("home", home.jid()).setCause(e).log("waiting_not_counted");
      return false;
    }
  }

  /// Whether a message that no session gets now may be appended. While the disk is full, only if
  /// its sender gets an acknowledgement once it is stored; never when nothing will be stored again
  /// before the next start.
  private boolean mayWait(Origin origin) {
    StoreState state = log.state();
    return state.acceptsForLater()
        || (state.kind() != StoreState.Kind.STOPPED && storage.durable() && origin.acknowledges());
  }

  private void reject(Envelope envelope, Reason reason) {
    errors.rejectAtHome(envelope, reason);
  }

  /// The sender's own copy, if it can be appended together with the receiver's entry: the message
  /// is unchanged, and the copy's id is above all ids in the receiver's log, so that these have the
  /// order in which the messages were delivered.
  private static @Nullable Entry takeSent(AccountHome home, Message message, Envelope envelope) {
    SentCopy sent = envelope.sent();
    if (sent == null) {
      return null;
    }
    Entry copy = sent.entry();
    boolean same = copy.message() == message && copy.with().bare().equals(home.jid());
    return same && copy.id() > home.newestId() && sent.take() ? copy : null;
  }

  /// @param unsent whether no session gets the message now
  private @Nullable Receipt append(
      AccountHome home,
      Entry entry,
      Keep keep,
      @Nullable Entry sent,
      Envelope envelope,
      boolean unsent) {
    Receipt receipt;
    try {
      receipt = sent == null ? log.append(entry, keep, true) : log.append(entry, keep, true, sent);
    } catch (StoreException e) {
      registry.stats().unlogged.increment();
      return null;
    }
    if (steps.isOn()) {
      steps.note(receipt, envelope);
    }
    Runnable whenLost = home.waiting().whenLost();
    if (unsent && !ackOnCommit.isAwaited(envelope.origin())) {
      ackOnCommit.rejectUnstored(receipt, entry.message(), envelope.author(), whenLost);
    }
    ackOnCommit.await(receipt, entry.message(), envelope.origin(), envelope.author(), whenLost);
    ackOnCommit.slowDown(envelope.origin());
    return receipt;
  }

  private Message stamp(Message message, Jid by, long id) {
    return message.withPayload(StanzaIds.NAME, stanzaIds.element(by, id));
  }

  private static Jid with(Message message) {
    Jid from = message.from();
    if (from == null) {
      throw new IllegalArgumentException("a message to deliver has a sender");
    }
    return from;
  }

  /// What is noted when the client of a session has a message; null if the message is not traced.
  private @Nullable Runnable noting(LocalSession session, Envelope envelope) {
    return steps.isOn()
        ? steps.noting(session.jid(), session.isDetached(), session.management() != null, envelope)
        : null;
  }

  /// How long the log keeps the message, or null if it does not belong there.
  public @Nullable Keep keep(AccountHome home, Message message) {
    return home.keep(message, keep);
  }
}
