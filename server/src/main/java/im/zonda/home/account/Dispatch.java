package im.zonda.home.account;

import im.zonda.config.Guests;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import im.zonda.home.HandlerTimes;
import im.zonda.home.guest.GuestCount;
import im.zonda.hook.BindHandler;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.IqFilter;
import im.zonda.hook.IqTable;
import im.zonda.hook.Judgement;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.Addressee;
import im.zonda.module.Declarations;
import im.zonda.module.Declarations.AnsweredIq;
import im.zonda.module.Declarations.BindElement;
import im.zonda.module.Declarations.ReservedIq;
import im.zonda.module.Declarations.UnauthenticatedIq;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqHandler;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The declarations of one virtual host's modules, for look-up by the router.
///
/// The tables are not changed. [#replace] puts others in their place while the server runs, so that
/// a caller that needs a table twice reads it once.
public final class Dispatch {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);

  /// The declarations as immutable tables and arrays: what is read for each stanza has its own
  /// field, and [#all] has everything.
  private static final class Tables {
    private final Map<Hook<?>, List<?>> all = new HashMap<>();
    private final List<String> features;
    private final List<String> accountFeatures;
    private final Map<Addressee, IqTable<IqHandler>> iqHandlers = new EnumMap<>(Addressee.class);
    private final IdentityHashMap<Object, String> answering = new IdentityHashMap<>();
    private final IqTable<UnauthenticatedHandler> unauthenticated = new IqTable<>();
    private final Map<QName, BindHandler> bindHandlers = new HashMap<>();
    private final Set<ReservedIq> reserved;
    private final MessageFilter[] messagesSent;
    private final MessageFilter[] messagesArriving;
    private final MessageFilter[] messagesRefusing;
    private final PresenceFilter[] presenceSent;
    private final PresenceFilter[] presenceArriving;
    private final IqFilter[] iqsSent;
    private final IqFilter[] iqsArriving;
    private final IqFilter[] iqsRefusing;
    private final DeliveryListener[] deliveryListeners;
    private final SessionListener[] listeners;
    private final StorageRule[] storageRules;
    private final LateDelivery[] lateDelivery;
    private final ExternalComponents.Extension[] extensions;
    private final Supplier<Guests> guests;
    private final HostHandlers handlers;

    Tables(HostHandlers from) {
      handlers = from;
      from.hooks().forEach(hook -> all.put(hook, from.of(hook)));
      for (AnsweredIq each : from.of(Declarations.ANSWERED_IQS)) {
        answering.put(each.handler(), from.moduleOf(each));
        iqHandlers
            .computeIfAbsent(each.addressee(), missing -> new IqTable<>())
            .add(each.type(), each.payload(), each.handler());
      }
      for (UnauthenticatedIq each : from.of(Declarations.UNAUTHENTICATED_IQS)) {
        unauthenticated.add(each.type(), each.payload(), each.handler());
      }
      for (BindElement each : from.of(Declarations.BIND_ELEMENTS)) {
        bindHandlers.put(each.request(), each.handler());
      }
      features = sorted(from.of(Declarations.FEATURES));
      accountFeatures = sorted(from.of(Declarations.ACCOUNT_FEATURES));
      int refuse = Phase.REFUSE.order();
      reserved = Set.copyOf(from.of(Declarations.RESERVED_IQS));
      messagesSent = from.of(Declarations.SENT_MESSAGES).toArray(MessageFilter[]::new);
      messagesArriving = from.of(Declarations.ARRIVING_MESSAGES).toArray(MessageFilter[]::new);
      messagesRefusing =
          from.of(Declarations.ARRIVING_MESSAGES, refuse).toArray(MessageFilter[]::new);
      presenceSent = from.of(Declarations.SENT_PRESENCE).toArray(PresenceFilter[]::new);
      presenceArriving = from.of(Declarations.ARRIVING_PRESENCE).toArray(PresenceFilter[]::new);
      iqsSent = from.of(Declarations.SENT_IQS).toArray(IqFilter[]::new);
      iqsArriving = from.of(Declarations.ARRIVING_IQS).toArray(IqFilter[]::new);
      iqsRefusing = from.of(Declarations.ARRIVING_IQS, refuse).toArray(IqFilter[]::new);
      deliveryListeners = from.of(Declarations.DELIVERY).toArray(DeliveryListener[]::new);
      listeners = from.of(Declarations.SESSIONS).toArray(SessionListener[]::new);
      storageRules = from.of(Declarations.STORAGE_RULES).toArray(StorageRule[]::new);
      lateDelivery = from.of(Declarations.LATE_DELIVERY).toArray(LateDelivery[]::new);
      extensions = from.of(Declarations.EXTENSIONS).toArray(ExternalComponents.Extension[]::new);
      List<Supplier<Guests>> rules = from.of(Declarations.GUESTS);
      guests = rules.isEmpty() ? () -> Guests.DEFAULTS : rules.getLast();
    }

    @SuppressWarnings("unchecked") // the list of a hook has values of its type
    <H> List<H> all(Hook<H> hook) {
      return (List<H>) all.getOrDefault(hook, List.of());
    }

    private static List<String> sorted(List<String> features) {
      return features.stream().distinct().sorted().toList();
    }
  }

  /// Which of the host's stanzas pass a filter that may block.
  private record Blocking(
      boolean sentMessages,
      boolean arrivingMessages,
      boolean sentPresence,
      boolean arrivingPresence,
      boolean roomMessages) {
    static Blocking of(HostHandlers from) {
      return new Blocking(
          from.of(Declarations.SENT_MESSAGES).stream().anyMatch(MessageFilter::mayBlock),
          from.of(Declarations.ARRIVING_MESSAGES).stream().anyMatch(MessageFilter::mayBlock),
          from.of(Declarations.SENT_PRESENCE).stream().anyMatch(PresenceFilter::mayBlock),
          from.of(Declarations.ARRIVING_PRESENCE).stream().anyMatch(PresenceFilter::mayBlock),
          from.of(Declarations.ROOM_MESSAGES).stream().anyMatch(RoomMessageFilter::mayBlock));
    }

    Blocking or(Blocking other) {
      return new Blocking(
          sentMessages || other.sentMessages,
          arrivingMessages || other.arrivingMessages,
          sentPresence || other.sentPresence,
          arrivingPresence || other.arrivingPresence,
          roomMessages || other.roomMessages);
    }
  }

  private final Jid domain;
  private final GuestCount guestCount = new GuestCount();
  private final LongAdder people = new LongAdder();
  private final HandlerTimes times = new HandlerTimes();
  private volatile List<HomeKey<?>> homeKeys;
  private volatile Tables tables;
  private volatile Blocking blocking;
  private volatile HostLimits limits = Limits.defaults().ofHost();
  private volatile boolean closed;

  /// A host of that domain.
  ///
  /// @param handlers what its modules have declared
  public Dispatch(Jid domain, HostHandlers handlers) {
    this.domain = domain;
    homeKeys = handlers.of(Declarations.HOME_STATES);
    tables = new Tables(handlers);
    blocking = Blocking.of(handlers);
  }

  /// The limits of the host.
  public HostLimits limits() {
    return limits;
  }

  /// Changes the limits of the host.
  public void limit(HostLimits changed) {
    limits = changed;
  }

  /// The rules for guests, which say whether there may be any.
  public Guests guests() {
    return tables.guests.get();
  }

  /// The guests of the host in this process.
  public GuestCount guestCount() {
    return guestCount;
  }

  /// The accounts of the host, guests too, that have sessions in this process.
  public LongAdder people() {
    return people;
  }

  /// The handlers that took long.
  public HandlerTimes times() {
    return times;
  }

  /// Notes how long a handler took if it was long.
  ///
  /// @param began [System#nanoTime] when it began
  public void took(Object handler, String what, long began) {
    long nanos = System.nanoTime() - began;
    if (nanos > HandlerTimes.SLOW) {
      times.slow(moduleOf(handler), what, nanos);
    }
  }

  /// Asks the filters that have no effects, those that refuse, about a message.
  public List<Judgement> judge(AccountHome home, Message message, HookPoint point) {
    HostHandlers handlers = tables.handlers;
    Hook<MessageFilter> hook =
        point == HookPoint.ARRIVING ? Declarations.ARRIVING_MESSAGES : Declarations.SENT_MESSAGES;
    List<MessageFilter> refusing = handlers.of(hook, Phase.REFUSE.order());
    Set<Judgement> judgements = new LinkedHashSet<>();
    for (MessageFilter filter : refusing) {
      Reason reason = Filters.reasonOf(filter.filter(message, home, null));
      judgements.add(new Judgement(handlers.moduleOf(filter), true, reason));
    }
    for (MessageFilter filter : handlers.of(hook)) {
      if (!refusing.contains(filter)) {
        judgements.add(new Judgement(handlers.moduleOf(filter), false, null));
      }
    }
    return List.copyOf(judgements);
  }

  /// The name of the module that has declared a handler.
  public String moduleOf(Object handler) {
    String module = tables.answering.get(handler);
    return module == null ? tables.handlers.moduleOf(handler) : module;
  }

  /// Whether the host is being removed: it accepts no sessions and no stanzas.
  public boolean isClosed() {
    return closed;
  }

  public void close() {
    closed = true;
  }

  /// Replaces everything that was declared. Values that are kept with a home stay: loaded homes
  /// find them by their place in the list, and modules that remain may use those of one that is
  /// stopped. A module that is installed again uses its old values, by the names of its keys.
  public void replace(HostHandlers handlers) {
    boolean _ = prepare(handlers);
    tables = new Tables(handlers);
    blocking = Blocking.of(handlers);
  }

  /// Prepares for [#replace]: homes that are loaded from now on have all values that the handlers
  /// will use, and stanzas that will pass a filter that may block are handled where they may. A
  /// home that has run a task since then has nothing left to do that was begun without.
  ///
  /// @return false if homes need not run a task: nothing of that has changed
  public boolean prepare(HostHandlers handlers) {
    List<HomeKey<?>> keys = homeKeys;
    addHomeKeys(handlers);
    Blocking before = blocking;
    blocking = before.or(Blocking.of(handlers));
    return !homeKeys.equals(keys) || !blocking.equals(before);
  }

  /// Adds the keys of `handlers` to the present ones.
  private void addHomeKeys(HostHandlers handlers) {
    List<HomeKey<?>> keys = new ArrayList<>(homeKeys);
    for (HomeKey<?> key : handlers.of(Declarations.HOME_STATES)) {
      int place = 0;
      while (place < keys.size() && !keys.get(place).name().equals(key.name())) {
        place++;
      }
      if (place < keys.size()) {
        keys.set(place, key);
      } else {
        keys.add(key);
      }
    }
    homeKeys = List.copyOf(keys);
  }

  /// Everything that is declared for a hook, in its order.
  public <H> List<H> all(Hook<H> hook) {
    return tables.all(hook);
  }

  /// The virtual host's domain as an address.
  public Jid domain() {
    return domain;
  }

  /// The features of the server, sorted, each once.
  public List<String> features() {
    return tables.features;
  }

  /// The features of accounts, sorted, each once.
  public List<String> accountFeatures() {
    return tables.accountFeatures;
  }

  /// The handler of that kind of request, or null.
  public @Nullable IqHandler iqHandler(Iq.Type type, QName payload, Addressee addressee) {
    IqTable<IqHandler> handlers = tables.iqHandlers.get(addressee);
    return handlers == null ? null : handlers.find(type, payload);
  }

  /// The handler of that kind of request of streams that have not authenticated, or null.
  public @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return tables.unauthenticated.find(type, payload);
  }

  /// Whether only the server itself may send clients such requests.
  public boolean isReserved(Iq.Type type, QName payload) {
    return tables.reserved.contains(new ReservedIq(type, payload));
  }

  public MessageFilter[] messages(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.messagesSent : now.messagesArriving;
  }

  /// Whether a filter of messages at that point may block.
  public boolean messagesMayBlock(HookPoint point) {
    Blocking now = blocking;
    return point == HookPoint.SENT_BY_CLIENT ? now.sentMessages : now.arrivingMessages;
  }

  /// Whether a filter of presence at that point may block, whatever its type.
  public boolean presenceMayBlock(HookPoint point) {
    Blocking now = blocking;
    return point == HookPoint.SENT_BY_CLIENT ? now.sentPresence : now.arrivingPresence;
  }

  /// Whether a filter of messages in rooms may block.
  public boolean roomMessagesMayBlock() {
    return blocking.roomMessages;
  }

  /// The filters of arriving messages that only decide whether a message is accepted.
  public MessageFilter[] messagesRefusing() {
    return tables.messagesRefusing;
  }

  /// The same for IQs.
  public IqFilter[] iqsRefusing() {
    return tables.iqsRefusing;
  }

  public PresenceFilter[] presence(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.presenceSent : now.presenceArriving;
  }

  public IqFilter[] iqs(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.iqsSent : now.iqsArriving;
  }

  public DeliveryListener[] deliveryListeners() {
    return tables.deliveryListeners;
  }

  public SessionListener[] listeners() {
    return tables.listeners;
  }

  public StorageRule[] storageRules() {
    return tables.storageRules;
  }

  /// Marks a message that was first sent at that time. A marker that fails is passed over: neither
  /// this message nor what follows it must be lost.
  public Message markLate(Message message, Instant sent) {
    Message marked = message;
    for (LateDelivery marker : tables.lateDelivery) {
      try {
        marked = marker.mark(marked, sent);
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("to", message.to()).setCause(e).log("late_message_not_marked");
      }
    }
    return marked;
  }

  /// What modules add for external components.
  public ExternalComponents.Extension[] extensions() {
    return tables.extensions;
  }

  public List<HomeKey<?>> homeKeys() {
    return homeKeys;
  }

  /// Does what a client has put into its `<bind/>` (XEP-0386) for a session that was bound within
  /// the authentication; returns the answers. Called at the home; may block.
  public List<Element> bound(Home home, Session session, Element request) {
    Tables now = tables;
    List<Element> answers = new ArrayList<>();
    for (Element child : request.children()) {
      BindHandler handler = now.bindHandlers.get(child.name());
      if (handler != null) {
        bound(handler, home, session, child, answers);
      }
    }
    for (BindHandler handler : now.all(Declarations.EVERY_BIND)) {
      bound(handler, home, session, request, answers);
    }
    return answers;
  }

  private static void bound(
      BindHandler handler, Home home, Session session, Element request, List<Element> answers) {
    try {
      Element answer = handler.bound(home, session, request);
      if (answer != null) {
        answers.add(answer);
      }
    } catch (RuntimeException e) {
      // The session is bound; the client can request separately what failed.
      LOG.atError()
          .addKeyValue("jid", session.jid())
          .addKeyValue("request", request.name())
          .setCause(e)
          .log("bind_feature_failed");
    }
  }
}
