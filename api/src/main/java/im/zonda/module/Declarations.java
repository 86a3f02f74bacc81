package im.zonda.module;

import im.zonda.config.Guests;
import im.zonda.hook.BindHandler;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.RoomListener;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.http.HttpRoute;
import im.zonda.metric.Reading;
import im.zonda.operation.Offer;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Supplier;

/// Everything that a module may declare while it is installed. This is the one place that names
/// each kind: its [Hook], by which the server finds what was declared, and the method for modules.
public interface Declarations {
  /// Adds something to a hook; modules use the methods below.
  ///
  /// @param order handlers run in ascending order, and those of the same as they were added
  <H> void declare(Hook<H> hook, int order, H handler);

  Hook<String> FEATURES = Hook.of("feature");

  /// Adds a feature of the server.
  default void advertise(String namespace) {
    declare(FEATURES, 0, namespace);
  }

  Hook<String> ACCOUNT_FEATURES = Hook.of("feature of accounts");

  /// Adds a feature of the host's accounts.
  default void advertiseForAccounts(String namespace) {
    declare(ACCOUNT_FEATURES, 0, namespace);
  }

  Hook<DiscoIdentity> IDENTITIES = Hook.of("identity");

  /// Adds an identity of the server.
  default void addIdentity(DiscoIdentity identity) {
    declare(IDENTITIES, 0, identity);
  }

  Hook<DiscoIdentity> ACCOUNT_IDENTITIES = Hook.of("identity of accounts");

  /// Adds an identity of the host's accounts.
  default void addAccountIdentity(DiscoIdentity identity) {
    declare(ACCOUNT_IDENTITIES, 0, identity);
  }

  Hook<Element> FORMS = Hook.of("form");

  /// Adds a data form to the server's information (XEP-0128).
  default void addForm(Element form) {
    declare(FORMS, 0, form);
  }

  Hook<Supplier<Element>> STREAM_FEATURES = Hook.of("stream feature");

  /// Adds a feature that is offered to authenticated streams.
  default void addStreamFeature(Supplier<Element> feature) {
    declare(STREAM_FEATURES, 0, feature);
  }

  Hook<Supplier<Element>> EARLY_STREAM_FEATURES = Hook.of("stream feature");

  /// Adds a feature that is offered to streams that have not authenticated.
  default void addStreamFeatureBeforeAuthentication(Supplier<Element> feature) {
    declare(EARLY_STREAM_FEATURES, 0, feature);
  }

  /// The handler of a kind of IQ request.
  record AnsweredIq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {}

  Hook<AnsweredIq> ANSWERED_IQS =
      Hook.exclusive(
          "IQ request", each -> List.of(List.of(each.type, each.payload, each.addressee)));

  /// Answers IQ requests of `type` (get or set) with that payload. The host does not start if two
  /// modules answer the same.
  default void onIq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
    declare(ANSWERED_IQS, 0, new AnsweredIq(type, payload, addressee, handler));
  }

  /// A kind of IQ request that only the server sends to clients.
  record ReservedIq(Iq.Type type, QName payload) {}

  Hook<ReservedIq> RESERVED_IQS = Hook.of("reserved IQ request");

  /// Reserves IQ requests of `type` with that payload to the server
  /// ([im.zonda.session.Session#send]): anyone else who sends one to a client is answered
  /// `service-unavailable`.
  default void reserveIq(Iq.Type type, QName payload) {
    declare(RESERVED_IQS, 0, new ReservedIq(type, payload));
  }

  /// The handler of a kind of IQ request of clients that have not authenticated.
  record UnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler) {}

  Hook<UnauthenticatedIq> UNAUTHENTICATED_IQS =
      Hook.exclusive(
          "IQ request before authentication", each -> List.of(List.of(each.type, each.payload)));

  /// Answers IQ requests of clients that have not authenticated. The host does not start if two
  /// modules answer the same.
  default void onUnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler) {
    declare(UNAUTHENTICATED_IQS, 0, new UnauthenticatedIq(type, payload, handler));
  }

  Hook<Supplier<Guests>> GUESTS = Hook.of("rules for guests");

  /// Lets clients log in to this host as guests (SASL ANONYMOUS, XEP-0175) while `rules` says that
  /// they may. The module holds guests to what they may do; once it is stopped, no stanza of a
  /// guest is handled.
  default void acceptGuests(Supplier<Guests> rules) {
    declare(GUESTS, 0, rules);
  }

  Hook<HttpRoute> HTTP_ROUTES =
      Hook.exclusive(
          "path",
          route ->
              route.methods().stream()
                  .map(method -> method + " " + route.path() + (route.prefix() ? "*" : ""))
                  .toList());

  /// Serves a path of this host by HTTP. The host does not start if two modules declare the same
  /// path and method.
  default void onHttp(HttpRoute route) {
    declare(HTTP_ROUTES, 0, route);
  }

  Hook<Offer<?, ?>> OPERATIONS =
      Hook.exclusive("operation", offer -> List.of(offer.operation().name()));

  /// Lets administrators of this host run an operation, by whatever way. Its scope is not the
  /// server. The host does not start if two modules offer the same.
  default void offer(Offer<?, ?> operation) {
    declare(OPERATIONS, 0, operation);
  }

  Hook<Reading> METERS = Hook.exclusive("meter", reading -> List.of(reading.meter().name()));

  /// Shows a meter, whose first label is [im.zonda.metric.Label#HOST], to those who watch the
  /// server. The host does not start if two modules show the same.
  default void measure(Reading reading) {
    declare(METERS, 0, reading);
  }

  Hook<MessageFilter> SENT_MESSAGES = Hook.of("filter of messages of clients");

  Hook<MessageFilter> ARRIVING_MESSAGES = Hook.of("filter of arriving messages");

  /// Filters messages.
  default void onMessage(HookPoint point, Phase phase, MessageFilter filter) {
    declare(sent(point) ? SENT_MESSAGES : ARRIVING_MESSAGES, phase.order(), filter);
  }

  Hook<PresenceFilter> SENT_PRESENCE = Hook.of("filter of presence of clients");

  Hook<PresenceFilter> ARRIVING_PRESENCE = Hook.of("filter of arriving presence");

  /// Filters presence.
  default void onPresence(HookPoint point, Phase phase, PresenceFilter filter) {
    declare(sent(point) ? SENT_PRESENCE : ARRIVING_PRESENCE, phase.order(), filter);
  }

  Hook<IqFilter> SENT_IQS = Hook.of("filter of IQs of clients");

  Hook<IqFilter> ARRIVING_IQS = Hook.of("filter of arriving IQs");

  /// Filters IQs between accounts, before they are answered or delivered.
  default void onIq(HookPoint point, Phase phase, IqFilter filter) {
    declare(sent(point) ? SENT_IQS : ARRIVING_IQS, phase.order(), filter);
  }

  private static boolean sent(HookPoint point) {
    return point == HookPoint.SENT_BY_CLIENT;
  }

  Hook<DeliveryListener> DELIVERY = Hook.of("delivery listener");

  /// Observes messages that were sent and delivered.
  default void onDelivery(DeliveryListener listener) {
    declare(DELIVERY, 0, listener);
  }

  Hook<RoomMessageFilter> ROOM_MESSAGES = Hook.of("filter of messages in rooms");

  /// Filters messages that occupants send to the rooms of this host.
  default void onRoomMessage(Phase phase, RoomMessageFilter filter) {
    declare(ROOM_MESSAGES, phase.order(), filter);
  }

  Hook<RoomListener> ROOMS = Hook.of("room listener");

  /// Observes the rooms of this host.
  default void onRoom(RoomListener listener) {
    declare(ROOMS, 0, listener);
  }

  Hook<SessionListener> SESSIONS = Hook.of("session listener");

  /// Observes sessions.
  default void onSession(SessionListener listener) {
    declare(SESSIONS, 0, listener);
  }

  /// The handler of an element in bind requests.
  record BindElement(QName request, BindHandler handler) {}

  Hook<BindElement> BIND_ELEMENTS =
      Hook.exclusive("element of bind requests", each -> List.of(each.request));

  /// Handles the element `request` in bind requests (XEP-0386) and advertises its namespace there.
  /// The host does not start if two modules handle the same.
  default void onBind(QName request, BindHandler handler) {
    declare(BIND_ELEMENTS, 0, new BindElement(request, handler));
  }

  Hook<BindHandler> EVERY_BIND = Hook.of("handler of bind requests");

  /// Handles every bind request (XEP-0386); `handler` gets the whole `<bind/>`.
  default void onBind(BindHandler handler) {
    declare(EVERY_BIND, 0, handler);
  }

  Hook<StorageRule> STORAGE_RULES = Hook.of("storage rule");

  /// Adds a rule that decides whether messages are stored.
  default void onStorage(StorageRule rule) {
    declare(STORAGE_RULES, 0, rule);
  }

  Hook<LateDelivery> LATE_DELIVERY = Hook.of("delayed delivery (XEP-0203)");

  /// Adds the delay to messages that are delivered late.
  default void onLateDelivery(LateDelivery marker) {
    declare(LATE_DELIVERY, 0, marker);
  }

  Hook<ExternalComponents.Extension> EXTENSIONS = Hook.of("extension for components");

  /// Adds what external components need (XEP-0114).
  default void extend(ExternalComponents.Extension extension) {
    declare(EXTENSIONS, 0, extension);
  }

  Hook<HomeKey<?>> HOME_STATES = Hook.of("value of homes");

  /// Keeps a value with the home of every account of this host. A home loads it with the account;
  /// once the module is stopped it stays with the homes.
  default void addHomeState(HomeKey<?> key) {
    declare(HOME_STATES, 0, key);
  }

  Hook<DomainService<?>> SERVICES = Hook.of("service");
}
