package im.zonda.module.testing;

import im.zonda.config.Guests;
import im.zonda.hook.BindHandler;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.SessionListener;
import im.zonda.hook.StorageRule;
import im.zonda.hook.Verdict;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.Declarations;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
import im.zonda.module.HostInfo;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the installed modules have declared.
public final class TestDeclarations implements HostInfo {
  final List<DomainService<?>> services = new ArrayList<>();
  private final Map<Jid, Consumer<Stanza>> served = new HashMap<>();
  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
  private boolean inTurn;

  /// The domains of connected components.
  public final List<Jid> components = new ArrayList<>();

  final HostHandlers handlers = new HostHandlers();

  TestDeclarations() {}

  @Override
  public List<DiscoIdentity> identities() {
    return handlers.of(Declarations.IDENTITIES);
  }

  @Override
  public List<String> features() {
    return sorted(Declarations.FEATURES);
  }

  @Override
  public List<String> accountFeatures() {
    return sorted(Declarations.ACCOUNT_FEATURES);
  }

  private List<String> sorted(Hook<String> hook) {
    return handlers.of(hook).stream().distinct().sorted().toList();
  }

  @Override
  public List<Element> forms() {
    return handlers.of(Declarations.FORMS);
  }

  /// The number of filters for messages.
  public int messageFilters() {
    return handlers.of(Declarations.SENT_MESSAGES).size()
        + handlers.of(Declarations.ARRIVING_MESSAGES).size();
  }

  /// The rules for guests, which a module has declared.
  public Guests guests() {
    return handlers.of(Declarations.GUESTS).getLast().get();
  }

  /// The features that an authenticated stream is offered.
  public List<Element> streamFeatures() {
    return handlers.of(Declarations.STREAM_FEATURES).stream().map(Supplier::get).toList();
  }

  /// The features that a stream is offered before it has authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return handlers.of(Declarations.EARLY_STREAM_FEATURES).stream().map(Supplier::get).toList();
  }

  /// What is loaded with every home.
  public List<HomeKey<?>> kept() {
    return handlers.of(Declarations.HOME_STATES);
  }

  /// What modules add for external components.
  public List<ExternalComponents.Extension> extensions() {
    return handlers.of(Declarations.EXTENSIONS);
  }

  /// The rules of storage, in their order.
  public List<StorageRule> storageRules() {
    return handlers.of(Declarations.STORAGE_RULES);
  }

  /// Whether only the server itself may send that request to clients.
  boolean isReserved(Iq iq) {
    QName payload = iq.isRequest() ? iq.payloadName() : null;
    return payload != null
        && handlers
            .of(Declarations.RESERVED_IQS)
            .contains(new Declarations.ReservedIq(iq.type(), payload));
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
    for (Declarations.AnsweredIq each : handlers.of(Declarations.ANSWERED_IQS)) {
      if (each.type() == type && each.payload().equals(payload) && each.addressee() == addressee) {
        return each.handler();
      }
    }
    return null;
  }

  @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    for (Declarations.UnauthenticatedIq each : handlers.of(Declarations.UNAUTHENTICATED_IQS)) {
      if (each.type() == type && each.payload().equals(payload)) {
        return each.handler();
      }
    }
    return null;
  }

  List<Element> bind2(TestHome home, TestSession session, Element request) {
    List<Element> answers = new ArrayList<>();
    for (Element child : request.children()) {
      for (Declarations.BindElement each : handlers.of(Declarations.BIND_ELEMENTS)) {
        Element answer =
            each.request().equals(child.name()) ? each.handler().bound(home, session, child) : null;
        if (answer != null) {
          answers.add(answer);
        }
      }
    }
    for (BindHandler handler : handlers.of(Declarations.EVERY_BIND)) {
      Element answer = handler.bound(home, session, request);
      if (answer != null) {
        answers.add(answer);
      }
    }
    return answers;
  }

  /// Tells those who listen that a message has been delivered.
  public void delivered(Home home, Message message, List<? extends Session> targets) {
    handlers.of(Declarations.DELIVERY).forEach(each -> each.delivered(home, message, targets));
  }

  /// Tells those who listen that a session has fallen asleep.
  public void asleep(Home home, TestSession session, List<Message> unacknowledged) {
    session.asleep(true);
    handlers.of(Declarations.SESSIONS).forEach(each -> each.asleep(home, session, unacknowledged));
  }

  /// Notifies the listeners that a session has been recovered.
  public void recovered(Home home, TestSession session, SessionListener.Snapshot snapshot) {
    handlers.of(Declarations.SESSIONS).forEach(each -> each.recovered(home, session, snapshot));
  }

  /// What the filters of that point say of a stanza, until one ends it.
  Verdict filter(HookPoint point, Stanza stanza, Home home, @Nullable Session session) {
    boolean sent = point == HookPoint.SENT_BY_CLIENT;
    List<Function<Stanza, Verdict>> filters =
        switch (stanza) {
          case Message message ->
              each(
                  sent ? Declarations.SENT_MESSAGES : Declarations.ARRIVING_MESSAGES,
                  filter -> s -> filter.filter((Message) s, home, session));
          case Presence presence ->
              each(
                  sent ? Declarations.SENT_PRESENCE : Declarations.ARRIVING_PRESENCE,
                  filter -> s -> filter.filter((Presence) s, home, session));
          case Iq iq ->
              each(
                  sent ? Declarations.SENT_IQS : Declarations.ARRIVING_IQS,
                  filter -> s -> filter.filter((Iq) s, home, session));
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

  private <F> List<Function<Stanza, Verdict>> each(
      Hook<F> hook, Function<F, Function<Stanza, Verdict>> judge) {
    return handlers.of(hook).stream().map(judge).toList();
  }

  @Override
  public List<DiscoIdentity> accountIdentities() {
    List<DiscoIdentity> identities = new ArrayList<>();
    identities.add(new DiscoIdentity("account", "registered", null));
    identities.addAll(handlers.of(Declarations.ACCOUNT_IDENTITIES));
    return identities;
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
    return storageRules().stream()
        .map(rule -> rule.decide(message))
        .filter(decision -> decision != StorageRule.Decision.UNDECIDED)
        .findFirst()
        .orElse(StorageRule.Decision.UNDECIDED);
  }

  /// A message marked for late delivery by all that mark.
  public Message marked(Message message, Instant time) {
    Message marked = message;
    for (LateDelivery marker : handlers.of(Declarations.LATE_DELIVERY)) {
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
      public boolean isHere(Jid address) {
        return true;
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
        handlers.of(Declarations.HTTP_ROUTES).stream()
            .filter(each -> each.matches(request.path()))
            .filter(each -> each.methods().contains(request.method()))
            .max(Comparator.comparingInt(each -> each.path().length()))
            .orElseThrow(() -> new HttpException(404, "no route"));
    return route.handler().handle(request);
  }
}
