package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DeliveryListener;
import im.zonda.module.HookPoint;
import im.zonda.module.IqFilter;
import im.zonda.module.IqHandler;
import im.zonda.module.LateDelivery;
import im.zonda.module.MessageFilter;
import im.zonda.module.Phase;
import im.zonda.module.PresenceFilter;
import im.zonda.module.SessionListener;
import im.zonda.module.StorageRule;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the modules of one virtual host have declared, in the form that the router asks for it.
/// Immutable.
public final class Dispatch {
  private record IqKey(Iq.Type type, QName payload, Addressee addressee) {}

  private record ReservedKey(Iq.Type type, QName payload) {}

  private final Jid domain;
  private final Map<IqKey, IqHandler> iqHandlers;
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
  private final List<HomeKey<?>> homeKeys;
  private final InlineBind inlineBind;

  private Dispatch(Builder builder) {
    domain = builder.domain;
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
    homeKeys = List.copyOf(builder.homeKeys);
    inlineBind = builder.inlineBind;
  }

  /// The virtual host's domain as an address.
  public Jid domain() {
    return domain;
  }

  /// Who answers that kind of request, or null.
  @Nullable IqHandler iqHandler(Iq.Type type, QName payload, Addressee addressee) {
    return iqHandlers.get(new IqKey(type, payload, addressee));
  }

  /// Whether only the server itself may ask clients that.
  boolean isReserved(Iq.Type type, QName payload) {
    return reserved.contains(new ReservedKey(type, payload));
  }

  MessageFilter[] messages(HookPoint point) {
    return point == HookPoint.SENT_BY_CLIENT ? messagesSent : messagesArriving;
  }

  /// The filters of arriving messages that only say whether a message may come in.
  MessageFilter[] messagesRefusing() {
    return messagesRefusing;
  }

  /// The same of IQs.
  IqFilter[] iqsRefusing() {
    return iqsRefusing;
  }

  PresenceFilter[] presence(HookPoint point) {
    return point == HookPoint.SENT_BY_CLIENT ? presenceSent : presenceArriving;
  }

  IqFilter[] iqs(HookPoint point) {
    return point == HookPoint.SENT_BY_CLIENT ? iqsSent : iqsArriving;
  }

  DeliveryListener[] deliveryListeners() {
    return deliveryListeners;
  }

  SessionListener[] listeners() {
    return listeners;
  }

  StorageRule[] storageRules() {
    return storageRules;
  }

  LateDelivery[] lateDelivery() {
    return lateDelivery;
  }

  List<HomeKey<?>> homeKeys() {
    return homeKeys;
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
    private final Map<IqKey, IqHandler> iqHandlers = new HashMap<>();
    private final Set<ReservedKey> reserved = new HashSet<>();
    private final List<Hook<MessageFilter>> messages = new ArrayList<>();
    private final List<Hook<PresenceFilter>> presence = new ArrayList<>();
    private final List<Hook<IqFilter>> iqs = new ArrayList<>();
    private final List<DeliveryListener> deliveryListeners = new ArrayList<>();
    private final List<SessionListener> listeners = new ArrayList<>();
    private final List<StorageRule> storageRules = new ArrayList<>();
    private final List<LateDelivery> lateDelivery = new ArrayList<>();
    private final List<HomeKey<?>> homeKeys = new ArrayList<>();
    private InlineBind inlineBind = (home, session, request) -> List.of();

    /// Nothing declared yet for the host of that domain.
    public Builder(Jid domain) {
      this.domain = domain;
    }

    /// Adds a handler.
    ///
    /// @throws IllegalStateException if there is one for the same requests
    public void iq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
      if (iqHandlers.putIfAbsent(new IqKey(type, payload, addressee), handler) != null) {
        throw new IllegalStateException(
            "two modules answer " + type + " of " + payload + " to " + addressee);
      }
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

    /// Adds a marker of late messages.
    public void late(LateDelivery marker) {
      lateDelivery.add(marker);
    }

    /// Adds what is kept with a home.
    public void keep(HomeKey<?> key) {
      homeKeys.add(key);
    }

    /// Sets what is done for sessions that are bound within the authentication.
    public void inlineBind(InlineBind action) {
      inlineBind = action;
    }

    /// All that was declared.
    public Dispatch build() {
      return new Dispatch(this);
    }
  }
}
