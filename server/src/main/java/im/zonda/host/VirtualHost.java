package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.BindHandler;
import im.zonda.module.Custody;
import im.zonda.module.DeliveryListener;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.HookPoint;
import im.zonda.module.HostInfo;
import im.zonda.module.IdSource;
import im.zonda.module.IqFilter;
import im.zonda.module.IqHandler;
import im.zonda.module.LateDelivery;
import im.zonda.module.MessageFilter;
import im.zonda.module.ModuleContext;
import im.zonda.module.Phase;
import im.zonda.module.Places;
import im.zonda.module.PresenceFilter;
import im.zonda.module.Scheduler;
import im.zonda.module.SessionListener;
import im.zonda.module.StorageRule;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.module.XmppModule;
import im.zonda.router.Dispatch;
import im.zonda.router.StanzaRouter;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One virtual host: its modules and all that they have declared.
public final class VirtualHost {
  /// What every host of a server shares.
  ///
  /// @param config the configuration
  /// @param stores what lasts
  /// @param router where stanzas go
  /// @param clock the time
  /// @param scheduler timers
  /// @param workers runs what may block
  /// @param ids new identifiers
  public record Surroundings(
      ServerConfig config,
      Stores stores,
      StanzaRouter router,
      InstantSource clock,
      Scheduler scheduler,
      Executor workers,
      IdSource ids) {}

  private record UnauthenticatedKey(Iq.Type type, QName payload) {}

  private final Jid domain;
  private final Surroundings surroundings;
  private final Dispatch.Builder declared;
  private final List<DiscoIdentity> identities = new ArrayList<>();
  private final SortedSet<String> features = new TreeSet<>();
  private final SortedSet<String> accountFeatures = new TreeSet<>();
  private final List<Element> forms = new ArrayList<>();
  private final List<Supplier<Element>> streamFeatures = new ArrayList<>();
  private final List<Supplier<Element>> earlyStreamFeatures = new ArrayList<>();
  private final Map<UnauthenticatedKey, UnauthenticatedHandler> unauthenticated = new HashMap<>();
  private final List<DomainService<?>> services = new ArrayList<>();
  private final InlineBinds inlineBinds = new InlineBinds();
  private final Dispatch dispatch;

  /// Installs the modules in their order.
  public VirtualHost(Jid domain, Surroundings surroundings, List<XmppModule> modules) {
    this.domain = domain;
    this.surroundings = surroundings;
    this.declared = new Dispatch.Builder(domain);
    Context context = new Context();
    for (XmppModule module : modules) {
      module.install(context);
    }
    declared.inlineBind(inlineBinds);
    this.dispatch = declared.build();
  }

  /// The domain as an address.
  public Jid domain() {
    return domain;
  }

  /// What the router asks.
  public Dispatch dispatch() {
    return dispatch;
  }

  /// Services with a domain of their own.
  public List<DomainService<?>> services() {
    return List.copyOf(services);
  }

  /// What clients may ask for while they bind.
  public InlineBinds inlineBinds() {
    return inlineBinds;
  }

  /// Features of authenticated streams.
  public List<Element> streamFeatures() {
    return streamFeatures.stream().map(Supplier::get).toList();
  }

  /// Features of streams that have not authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return earlyStreamFeatures.stream().map(Supplier::get).toList();
  }

  /// Who answers that kind of request of a stream that has not authenticated, or null.
  public @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return unauthenticated.get(new UnauthenticatedKey(type, payload));
  }

  private final class Declared implements HostInfo {
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

    @Override
    public List<DomainService<?>> services() {
      return List.copyOf(services);
    }
  }

  private final class Context implements ModuleContext {
    private final HostInfo info = new Declared();

    @Override
    public Jid domain() {
      return domain;
    }

    @Override
    public ServerConfig config() {
      return surroundings.config();
    }

    @Override
    public InstantSource clock() {
      return surroundings.clock();
    }

    @Override
    public Scheduler scheduler() {
      return surroundings.scheduler();
    }

    @Override
    public Scheduler.Cancellable every(Duration first, Duration period, Runnable task) {
      return surroundings.scheduler().every(first, period, surroundings.workers(), task);
    }

    @Override
    public IdSource ids() {
      return surroundings.ids();
    }

    @Override
    public Stores stores() {
      return surroundings.stores();
    }

    @Override
    public HostInfo host() {
      return info;
    }

    @Override
    public void advertise(String namespace) {
      features.add(namespace);
    }

    @Override
    public void advertiseForAccounts(String namespace) {
      accountFeatures.add(namespace);
    }

    @Override
    public void identity(DiscoIdentity identity) {
      identities.add(identity);
    }

    @Override
    public void form(Element form) {
      forms.add(form);
    }

    @Override
    public void streamFeature(Supplier<Element> feature) {
      streamFeatures.add(feature);
    }

    @Override
    public void streamFeatureBeforeAuthentication(Supplier<Element> feature) {
      earlyStreamFeatures.add(feature);
    }

    @Override
    public void onIq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler) {
      declared.iq(type, payload, addressee, handler);
    }

    @Override
    public void reserveIq(Iq.Type type, QName payload) {
      declared.reserve(type, payload);
    }

    @Override
    public void onUnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler) {
      unauthenticated.put(new UnauthenticatedKey(type, payload), handler);
    }

    @Override
    public void onMessage(HookPoint point, Phase phase, MessageFilter filter) {
      declared.message(point, phase, filter);
    }

    @Override
    public void onPresence(HookPoint point, Phase phase, PresenceFilter filter) {
      declared.presence(point, phase, filter);
    }

    @Override
    public void onIq(HookPoint point, Phase phase, IqFilter filter) {
      declared.iq(point, phase, filter);
    }

    @Override
    public void onDelivery(DeliveryListener listener) {
      declared.delivery(listener);
    }

    @Override
    public void onSession(SessionListener listener) {
      declared.session(listener);
    }

    @Override
    public void onBind(QName request, BindHandler handler) {
      inlineBinds.add(request, handler);
    }

    @Override
    public void onBind(BindHandler handler) {
      inlineBinds.add(handler);
    }

    @Override
    public void onStorage(StorageRule rule) {
      declared.storage(rule);
    }

    @Override
    public void onLateDelivery(LateDelivery marker) {
      declared.late(marker);
    }

    @Override
    public void keep(HomeKey<?> key) {
      declared.keep(key);
    }

    @Override
    public void send(Stanza stanza) {
      surroundings.router().route(stanza);
    }

    @Override
    public void send(Message message, Jid author, Custody custody, Runnable refused) {
      surroundings.router().route(message, author, custody, refused);
    }

    @Override
    public void send(Iq request, Jid author, Runnable refused) {
      surroundings.router().route(request, author, refused);
    }

    @Override
    public <T> Places<T> serve(DomainService<T> service) {
      if (surroundings.config().hosts().contains(service.domain().domain())) {
        throw new IllegalStateException(service.domain() + " is a virtual host");
      }
      Places<T> places = surroundings.router().serve(service);
      services.add(service);
      return places;
    }

    @Override
    public void atHome(Jid account, Consumer<Home> task) {
      surroundings.router().atHome(account, task);
    }

    @Override
    public void forget(Jid account) {
      surroundings.router().forget(account);
    }
  }
}
