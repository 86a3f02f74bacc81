package im.zonda.home.account;

import im.zonda.config.Guests;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import im.zonda.home.guest.GuestCount;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqHandler;
import im.zonda.module.IqTable;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The declarations of one virtual host's modules, for look-up by the router.
///
/// The tables are immutable. [#replace] puts others in their place while the server runs, so that a
/// caller that needs a table twice reads it once.
public final class Dispatch {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);

  /// What the modules of a host do for a session that is bound within the authentication
  /// (XEP-0386).
  @FunctionalInterface
  public interface InlineBind {
    /// Does what the client has put into its `<bind/>`; returns what it is answered. Called at the
    /// home; may block.
    List<Element> bound(Home home, Session session, Element request);
  }

  private record ReservedKey(Iq.Type type, QName payload) {}

  private static final class Tables {
    private final Map<Addressee, IqTable<IqHandler>> iqHandlers;
    private final Set<ReservedKey> reserved;
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
    private final List<HomeKey<?>> homeKeys;
    private final Supplier<Guests> guests;

    Tables(Builder builder, List<HomeKey<?>> homeKeys) {
      iqHandlers = Map.copyOf(builder.iqHandlers);
      reserved = Set.copyOf(builder.reserved);
      messagesSent = messages(builder, HookPoint.SENT_BY_CLIENT);
      messagesArriving = messages(builder, HookPoint.ARRIVING);
      messagesRefusing = refusing(builder.messages).toArray(MessageFilter[]::new);
      presenceSent = presence(builder, HookPoint.SENT_BY_CLIENT);
      presenceArriving = presence(builder, HookPoint.ARRIVING);
      iqsSent = iqs(builder, HookPoint.SENT_BY_CLIENT);
      iqsArriving = iqs(builder, HookPoint.ARRIVING);
      iqsRefusing = refusing(builder.iqs).toArray(IqFilter[]::new);
      deliveryListeners = builder.deliveryListeners.toArray(DeliveryListener[]::new);
      listeners = builder.listeners.toArray(SessionListener[]::new);
      storageRules = builder.storageRules.toArray(StorageRule[]::new);
      lateDelivery = builder.lateDelivery.toArray(LateDelivery[]::new);
      extensions = builder.extensions.toArray(ExternalComponents.Extension[]::new);
      guests = builder.guests;
      this.homeKeys = List.copyOf(homeKeys);
    }

    private Tables(Tables other, List<HomeKey<?>> homeKeys) {
      iqHandlers = other.iqHandlers;
      reserved = other.reserved;
      messagesSent = other.messagesSent;
      messagesArriving = other.messagesArriving;
      messagesRefusing = other.messagesRefusing;
      presenceSent = other.presenceSent;
      presenceArriving = other.presenceArriving;
      iqsSent = other.iqsSent;
      iqsArriving = other.iqsArriving;
      iqsRefusing = other.iqsRefusing;
      deliveryListeners = other.deliveryListeners;
      listeners = other.listeners;
      storageRules = other.storageRules;
      lateDelivery = other.lateDelivery;
      extensions = other.extensions;
      guests = other.guests;
      this.homeKeys = List.copyOf(homeKeys);
    }

    /// The same tables with other keys.
    Tables with(List<HomeKey<?>> keys) {
      return new Tables(this, keys);
    }
  }

  private final Jid domain;
  private final InlineBind inlineBind;
  private final GuestCount guestCount = new GuestCount();
  private volatile Tables tables;
  private volatile HostLimits limits = Limits.defaults().ofHost();
  private volatile boolean closed;

  private Dispatch(Builder builder) {
    domain = builder.domain;
    inlineBind = builder.inlineBind;
    tables = new Tables(builder, builder.homeKeys);
  }

  /// The limits of the host.
  HostLimits limits() {
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
  GuestCount guestCount() {
    return guestCount;
  }

  /// Whether the host is being removed: it accepts no sessions and no stanzas.
  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /// Replaces everything that was declared. Values that are kept with a home stay: loaded homes
  /// find them by their place in the list, and modules that remain may use those of one that is
  /// stopped. A module that is installed again uses its old values, by the names of its keys.
  public void replace(Builder builder) {
    tables = new Tables(builder, merge(builder.homeKeys));
  }

  /// Adds the keys of `builder` to those of the present tables, before [#replace]: homes that are
  /// loaded from now on have all values that its handlers will use.
  public void addHomeKeys(Builder builder) {
    tables = tables.with(merge(builder.homeKeys));
  }

  private List<HomeKey<?>> merge(List<HomeKey<?>> added) {
    List<HomeKey<?>> keys = new ArrayList<>(tables.homeKeys);
    for (HomeKey<?> key : added) {
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
    return keys;
  }

  /// The virtual host's domain as an address.
  public Jid domain() {
    return domain;
  }

  /// The handler of that kind of request, or null.
  @Nullable IqHandler iqHandler(Iq.Type type, QName payload, Addressee addressee) {
    IqTable<IqHandler> handlers = tables.iqHandlers.get(addressee);
    return handlers == null ? null : handlers.find(type, payload);
  }

  /// Whether only the server itself may send clients such requests.
  boolean isReserved(Iq.Type type, QName payload) {
    return tables.reserved.contains(new ReservedKey(type, payload));
  }

  MessageFilter[] messages(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.messagesSent : now.messagesArriving;
  }

  /// The filters of arriving messages that only decide whether a message is accepted.
  MessageFilter[] messagesRefusing() {
    return tables.messagesRefusing;
  }

  /// The same for IQs.
  IqFilter[] iqsRefusing() {
    return tables.iqsRefusing;
  }

  PresenceFilter[] presence(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.presenceSent : now.presenceArriving;
  }

  IqFilter[] iqs(HookPoint point) {
    Tables now = tables;
    return point == HookPoint.SENT_BY_CLIENT ? now.iqsSent : now.iqsArriving;
  }

  DeliveryListener[] deliveryListeners() {
    return tables.deliveryListeners;
  }

  SessionListener[] listeners() {
    return tables.listeners;
  }

  StorageRule[] storageRules() {
    return tables.storageRules;
  }

  /// Marks a message that was first sent at that time. A marker that fails is passed over: neither
  /// this message nor what follows it must be lost.
  Message markLate(Message message, Instant sent) {
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
  ExternalComponents.Extension[] extensions() {
    return tables.extensions;
  }

  List<HomeKey<?>> homeKeys() {
    return tables.homeKeys;
  }

  /// What is done for sessions that are bound within the authentication.
  InlineBind inlineBind() {
    return inlineBind;
  }

  private static MessageFilter[] messages(Builder builder, HookPoint point) {
    return filters(builder.messages, point).toArray(MessageFilter[]::new);
  }

  private static PresenceFilter[] presence(Builder builder, HookPoint point) {
    return filters(builder.presence, point).toArray(PresenceFilter[]::new);
  }

  private static IqFilter[] iqs(Builder builder, HookPoint point) {
    return filters(builder.iqs, point).toArray(IqFilter[]::new);
  }

  private static <F> Stream<F> refusing(List<Builder.Hook<F>> hooks) {
    return filters(
        hooks.stream().filter(hook -> hook.phase == Phase.REFUSE).toList(), HookPoint.ARRIVING);
  }

  private static <F> Stream<F> filters(List<Builder.Hook<F>> hooks, HookPoint point) {
    return hooks.stream()
        .filter(hook -> hook.point == point)
        .sorted(Comparator.comparing(hook -> hook.phase))
        .map(hook -> hook.filter);
  }

  /// Collects what the modules of one host declare. Within one phase, filters run in the order in
  /// which they were added.
  public static final class Builder {
    private record Hook<F>(HookPoint point, Phase phase, F filter) {}

    private final Jid domain;
    private final Map<Addressee, IqTable<IqHandler>> iqHandlers = new EnumMap<>(Addressee.class);
    private final Set<ReservedKey> reserved = new HashSet<>();
    private final List<Hook<MessageFilter>> messages = new ArrayList<>();
    private final List<Hook<PresenceFilter>> presence = new ArrayList<>();
    private final List<Hook<IqFilter>> iqs = new ArrayList<>();
    private final List<DeliveryListener> deliveryListeners = new ArrayList<>();
    private final List<SessionListener> listeners = new ArrayList<>();
    private final List<StorageRule> storageRules = new ArrayList<>();
    private final List<LateDelivery> lateDelivery = new ArrayList<>();
    private final List<ExternalComponents.Extension> extensions = new ArrayList<>();
    private final List<HomeKey<?>> homeKeys = new ArrayList<>();
    private Supplier<Guests> guests = () -> Guests.DEFAULTS;
    private InlineBind inlineBind = (home, session, request) -> List.of();

    /// A host of that domain for which nothing is declared.
    public Builder(Jid domain) {
      this.domain = domain;
    }

    /// Adds a handler.
    ///
    /// @throws IllegalStateException if there is one for the same requests
    public void iq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
      iqHandlers.computeIfAbsent(addressee, key -> new IqTable<>()).add(type, payload, handler);
    }

    /// Adds a kind of request that only the server itself may send to clients.
    public void reserve(Iq.Type type, QName payload) {
      reserved.add(new ReservedKey(type, payload));
    }

    /// Adds a message filter.
    public void message(HookPoint point, Phase phase, MessageFilter filter) {
      messages.add(new Hook<>(point, phase, filter));
    }

    /// Adds a presence filter.
    public void presence(HookPoint point, Phase phase, PresenceFilter filter) {
      presence.add(new Hook<>(point, phase, filter));
    }

    /// Adds a filter of IQs that pass between accounts.
    public void iq(HookPoint point, Phase phase, IqFilter filter) {
      iqs.add(new Hook<>(point, phase, filter));
    }

    /// Adds a listener to messages.
    public void delivery(DeliveryListener listener) {
      deliveryListeners.add(listener);
    }

    /// Adds a listener.
    public void session(SessionListener listener) {
      listeners.add(listener);
    }

    /// Adds a storage rule.
    public void storage(StorageRule rule) {
      storageRules.add(rule);
    }

    /// Adds a marker of delayed messages.
    public void late(LateDelivery marker) {
      lateDelivery.add(marker);
    }

    /// Adds what external components need.
    public void extend(ExternalComponents.Extension extension) {
      extensions.add(extension);
    }

    /// Adds what is kept with a home.
    public void keep(HomeKey<?> key) {
      homeKeys.add(key);
    }

    /// Lets guests in, as these rules say.
    public void guests(Supplier<Guests> rules) {
      guests = rules;
    }

    /// Sets what is done for sessions that are bound within the authentication.
    public void inlineBind(InlineBind action) {
      inlineBind = action;
    }

    /// Everything that was declared.
    public Dispatch build() {
      return new Dispatch(this);
    }
  }
}
