package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.BindHandler;
import im.zonda.module.DeliveryListener;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.HookPoint;
import im.zonda.module.HostInfo;
import im.zonda.module.IdSource;
import im.zonda.module.IqFilter;
import im.zonda.module.IqHandler;
import im.zonda.module.IqTable;
import im.zonda.module.LateDelivery;
import im.zonda.module.MessageFilter;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.Phase;
import im.zonda.module.PresenceFilter;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
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
import im.zonda.store.MessageLog;
import im.zonda.store.Stores;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  private final Jid domain;
  private final Surroundings surroundings;
  private final Dispatch.Builder declared;
  private final List<DiscoIdentity> identities = new ArrayList<>();
  private final SortedSet<String> features = new TreeSet<>();
  private final SortedSet<String> accountFeatures = new TreeSet<>();
  private final List<Element> forms = new ArrayList<>();
  private final List<Supplier<Element>> streamFeatures = new ArrayList<>();
  private final List<Supplier<Element>> earlyStreamFeatures = new ArrayList<>();
  private final IqTable<UnauthenticatedHandler> unauthenticated = new IqTable<>();
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

  /// Services with a domain of their own that have not been withdrawn.
  public List<DomainService<?>> services() {
    Set<String> routed = surroundings.router().routes().domains();
    return services.stream().filter(service -> routed.contains(service.domain().domain())).toList();
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
    return unauthenticated.find(type, payload);
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
      return VirtualHost.this.services();
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
      unauthenticated.add(type, payload, handler);
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
    public void send(Envelope envelope) {
      surroundings.router().routes().route(envelope);
    }

    @Override
    public void awaitCommit(MessageLog.Receipt receipt, Message message, Origin origin) {
      surroundings.router().awaitCommit(receipt, message, origin);
    }

    @Override
    public void slowDown(Origin origin, Duration time) {
      surroundings.router().slowDown(origin, time);
    }

    @Override
    public <T> ServiceHomes<T> serve(DomainService<T> service) {
      ServiceHomes<T> homes = surroundings.router().serve(service);
      services.add(service);
      return homes;
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
