package im.zonda.module.testing;

import im.zonda.config.Guests;
import im.zonda.hook.BindHandler;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.HookPoint;
import im.zonda.hook.IqFilter;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.MessageFilter;
import im.zonda.hook.Phase;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.hook.Verdict;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.HostInfo;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.IqTable;
import im.zonda.module.ServiceHomes;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the installed modules have declared.
public final class TestDeclarations implements HostInfo {
  final List<DomainService<?>> services = new ArrayList<>();
  final List<HttpRoute> routes = new ArrayList<>();
  private final Map<Jid, Consumer<Stanza>> served = new HashMap<>();
  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
  private boolean inTurn;

  /// The domains of connected components.
  public final List<Jid> components = new ArrayList<>();

  private record ReservedKey(Iq.Type type, QName payload) {}

  private record Filter<F>(HookPoint point, Phase phase, F filter) {}

  private final TreeSet<String> features = new TreeSet<>();
  private final TreeSet<String> accountFeatures = new TreeSet<>();
  private final List<DiscoIdentity> identities = new ArrayList<>();
  private final List<DiscoIdentity> accountIdentities =
      new ArrayList<>(List.of(new DiscoIdentity("account", "registered", null)));
  private final List<Element> forms = new ArrayList<>();
  private final Map<Addressee, IqTable<IqHandler>> iqs = new EnumMap<>(Addressee.class);
  private final IqTable<UnauthenticatedHandler> unauthenticated = new IqTable<>();
  private final Set<ReservedKey> reserved = new HashSet<>();
  private final List<Filter<MessageFilter>> messages = new ArrayList<>();
  private final List<Filter<PresenceFilter>> presences = new ArrayList<>();

  private final List<Filter<IqFilter>> iqFilters = new ArrayList<>();

  final List<Supplier<Element>> streamFeatures = new ArrayList<>();
  final List<Supplier<Element>> earlyStreamFeatures = new ArrayList<>();
  final List<SessionListener> sessionListeners = new ArrayList<>();
  final List<DeliveryListener> deliveryListeners = new ArrayList<>();
  final List<StorageRule> storageRules = new ArrayList<>();
  final List<LateDelivery> lateDeliveries = new ArrayList<>();
  final Map<QName, BindHandler> bindHandlers = new LinkedHashMap<>();
  final List<BindHandler> everyBind = new ArrayList<>();
  final List<HomeKey<?>> kept = new ArrayList<>();

  /// The rules for guests, which a module has declared.
  public Supplier<Guests> guests = () -> Guests.DEFAULTS;

  /// What modules add for external components.
  public final List<ExternalComponents.Extension> extensions = new ArrayList<>();

  TestDeclarations() {}

  @Override
  public List<DiscoIdentity> identities() {
    return List.copyOf(identities);
  }

  @Override
  public List<String> features() {
    return List.copyOf(features);
  }

  @Override
  public List<String> accountFeatures() {
    return List.copyOf(accountFeatures);
  }

  @Override
  public List<Element> forms() {
    return List.copyOf(forms);
  }

  /// The number of filters for messages.
  public int messageFilters() {
    return messages.size();
  }

  /// The features that an authenticated stream is offered.
  public List<Element> streamFeatures() {
    return streamFeatures.stream().map(Supplier::get).toList();
  }

  /// The features that a stream is offered before it has authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return earlyStreamFeatures.stream().map(Supplier::get).toList();
  }

  /// What is loaded with every home.
  public List<HomeKey<?>> kept() {
    return List.copyOf(kept);
  }

  /// The rules of storage, in their order.
  public List<StorageRule> storageRules() {
    return List.copyOf(storageRules);
  }

  void feature(String namespace) {
    features.add(namespace);
  }

  void accountFeature(String namespace) {
    accountFeatures.add(namespace);
  }

  void accountIdentity(DiscoIdentity identity) {
    accountIdentities.add(identity);
  }

  void identity(DiscoIdentity identity) {
    identities.add(identity);
  }

  void form(Element form) {
    forms.add(form);
  }

  void iq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
    iqs.computeIfAbsent(addressee, missing -> new IqTable<>()).add(type, payload, handler);
  }

  void unauthenticated(Iq.Type type, QName payload, UnauthenticatedHandler handler) {
    unauthenticated.add(type, payload, handler);
  }

  void reserve(Iq.Type type, QName payload) {
    reserved.add(new ReservedKey(type, payload));
  }

  /// Whether only the server itself may send that request to clients.
  boolean isReserved(Iq iq) {
    QName payload = iq.isRequest() ? iq.payloadName() : null;
    return payload != null && reserved.contains(new ReservedKey(iq.type(), payload));
  }

  /// The answer to an IQ of a stream that has not authenticated.
  IqReply answerUnauthenticated(Iq iq, TestStranger client) {
    UnauthenticatedHandler handler =
        unauthenticatedHandler(iq.type(), Objects.requireNonNull(iq.payloadName()));
    return handler == null
        ? IqReply.refuse(ErrorCondition.NOT_AUTHORIZED)
        : handler.handle(iq, Objects.requireNonNull(iq.payload()), client);
  }

  /// The answer to a request; `service-unavailable` if no module answers.
  public IqReply answer(Iq iq, Addressee addressee, TestHome home, @Nullable TestSession session) {
    IqHandler handler = iqHandler(iq.type(), Objects.requireNonNull(iq.payloadName()), addressee);
    return handler == null
        ? IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE)
        : handler.handle(new IqRequest(iq, Objects.requireNonNull(iq.payload()), home, session));
  }

  @Nullable IqHandler iqHandler(Iq.Type type, QName payload, Addressee addressee) {
    IqTable<IqHandler> handlers = iqs.get(addressee);
    return handlers == null ? null : handlers.find(type, payload);
  }

  @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return unauthenticated.find(type, payload);
  }

  void message(HookPoint point, Phase phase, MessageFilter filter) {
    messages.add(new Filter<>(point, phase, filter));
  }

  void presence(HookPoint point, Phase phase, PresenceFilter filter) {
    presences.add(new Filter<>(point, phase, filter));
  }

  void iq(HookPoint point, Phase phase, IqFilter filter) {
    iqFilters.add(new Filter<>(point, phase, filter));
  }

  List<Element> bind2(TestHome home, TestSession session, Element request) {
    List<Element> answers = new ArrayList<>();
    for (Element child : request.children()) {
      BindHandler handler = bindHandlers.get(child.name());
      Element answer = handler == null ? null : handler.bound(home, session, child);
      if (answer != null) {
        answers.add(answer);
      }
    }
    for (BindHandler handler : everyBind) {
      Element answer = handler.bound(home, session, request);
      if (answer != null) {
        answers.add(answer);
      }
    }
    return answers;
  }

  /// Tells those who listen that a message has been delivered.
  public void delivered(Home home, Message message, List<? extends Session> targets) {
    deliveryListeners.forEach(each -> each.delivered(home, message, targets));
  }

  /// Tells those who listen that a session has fallen asleep.
  public void asleep(Home home, TestSession session, List<Message> unacknowledged) {
    session.asleep(true);
    sessionListeners.forEach(each -> each.asleep(home, session, unacknowledged));
  }

  /// Notifies the listeners that a session has been recovered.
  public void recovered(Home home, TestSession session, Map<Jid, String> lastIds) {
    sessionListeners.forEach(each -> each.recovered(home, session, lastIds));
  }

  /// What the filters of that point say of a stanza, until one ends it.
  Verdict filter(HookPoint point, Stanza stanza, Home home, @Nullable Session session) {
    List<Function<Stanza, Verdict>> filters =
        switch (stanza) {
          case Message message ->
              ordered(messages, point, each -> s -> each.filter((Message) s, home, session));
          case Presence presence ->
              ordered(presences, point, each -> s -> each.filter((Presence) s, home, session));
          case Iq iq -> ordered(iqFilters, point, each -> s -> each.filter((Iq) s, home, session));
        };
    Stanza now = stanza;
    for (Function<Stanza, Verdict> filter : filters) {
      Verdict verdict = filter.apply(now);
      if (verdict instanceof Verdict.Replace(Stanza changed)) {
        now = changed;
      } else if (!(verdict instanceof Verdict.Pass)) {
        return verdict;
      }
    }
    return now.equals(stanza) ? Verdict.pass() : Verdict.replace(now);
  }

  private static <F> List<Function<Stanza, Verdict>> ordered(
      List<Filter<F>> filters, HookPoint point, Function<F, Function<Stanza, Verdict>> judge) {
    return filters.stream()
        .filter(each -> each.point == point)
        .sorted(Comparator.comparing((Filter<F> each) -> each.phase))
        .map(each -> judge.apply(each.filter))
        .toList();
  }

  @Override
  public List<DiscoIdentity> accountIdentities() {
    return List.copyOf(accountIdentities);
  }

  @Override
  public List<Element> accountForms() {
    return List.of();
  }

  @Override
  public List<DomainService<?>> services() {
    return List.copyOf(services);
  }

  @Override
  public List<Jid> components() {
    return List.copyOf(components);
  }

  /// What the first rule that decides says of storing a message.
  StorageRule.Decision stores(Message message) {
    return storageRules.stream()
        .map(rule -> rule.decide(message))
        .filter(decision -> decision != StorageRule.Decision.UNDECIDED)
        .findFirst()
        .orElse(StorageRule.Decision.UNDECIDED);
  }

  /// A message marked for late delivery by all that mark.
  public Message marked(Message message, Instant time) {
    Message marked = message;
    for (LateDelivery marker : lateDeliveries) {
      marked = marker.mark(marked, time);
    }
    return marked;
  }

  /// Brings a stanza to a service, as the router does. What the service does later at its homes is
  /// done when the stanza has been handled.
  public void toService(Stanza stanza) {
    Jid to = Objects.requireNonNull(stanza.to());
    Consumer<Stanza> service = Objects.requireNonNull(served.get(Jid.of(to.domain())));
    turns.add(() -> service.accept(stanza));
    inTurn = true;
    try {
      while (!turns.isEmpty()) {
        turns.removeFirst().run();
      }
    } finally {
      inTurn = false;
    }
  }

  /// The homes of a service's addresses; tasks run at once unless a stanza is being handled.
  <T> ServiceHomes<T> serve(DomainService<T> service) {
    services.add(service);
    Map<Jid, T> open = new HashMap<>();
    served.put(
        service.domain(),
        stanza -> {
          Jid to = Objects.requireNonNull(stanza.to());
          Jid home = to.local() == null ? service.homeOf(stanza) : to.bare();
          if (home == null) {
            service.acceptForDomain(stanza);
          } else {
            service.accept(open.computeIfAbsent(home, service::load), Envelope.of(stanza));
          }
        });
    return new ServiceHomes<>() {
      @Override
      public void submit(Jid address, boolean mayBlock, Consumer<T> task) {
        T home = open.computeIfAbsent(address, service::load);
        if (inTurn) {
          turns.add(() -> task.accept(home));
        } else {
          task.accept(home);
        }
      }

      @Override
      public boolean submitIfLoaded(Jid address, boolean mayBlock, Consumer<T> task) {
        T place = open.get(address);
        if (place != null) {
          task.accept(place);
        }
        return place != null;
      }

      @Override
      public List<Jid> addresses() {
        return List.copyOf(open.keySet());
      }

      @Override
      public void withdraw() {
        services.remove(service);
      }
    };
  }

  /// The answer of the route with the longest path that has the method.
  public HttpResponse http(HttpRequest request) throws IOException {
    HttpRoute route =
        routes.stream()
            .filter(each -> each.matches(request.path()))
            .filter(each -> each.methods().contains(request.method()))
            .max(Comparator.comparingInt(each -> each.path().length()))
            .orElseThrow(() -> new HttpException(404, "no route"));
    return route.handler().handle(request);
  }
}
