package im.zonda.host;

import im.zonda.config.ServerConfig;
import im.zonda.home.account.Dispatch;
import im.zonda.home.account.StanzaRouter;
import im.zonda.jid.Jid;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.HostInfo;
import im.zonda.module.IdSource;
import im.zonda.module.Ports;
import im.zonda.module.Scheduler;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One virtual host: its modules and everything that they have declared.
public final class VirtualHost {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualHost.class);

  /// What every host of a server shares.
  ///
  /// @param config the configuration
  /// @param ports the ports that modules may declare
  /// @param router where stanzas go
  /// @param clock the time
  /// @param scheduler timers
  /// @param workers runs what may block
  /// @param ids new identifiers
  public record Surroundings(
      ServerConfig config,
      OfferedPorts ports,
      StanzaRouter router,
      InstantSource clock,
      Scheduler scheduler,
      Executor workers,
      IdSource ids) {}

  private final Jid domain;
  private final Surroundings surroundings;
  private final HostInfo info = new DeclaredInfo();
  private final InlineBinds inlineBinds = new InlineBinds(this::declared);
  private final Dispatch dispatch;

  // In the order of installation. Guarded by this object's monitor.
  private final List<InstalledModule> installed = new ArrayList<>();

  private volatile HostDeclarations declared;

  /// Installs the modules in their order.
  ///
  /// @throws IllegalStateException if two modules declare what only one may
  public VirtualHost(Jid domain, Surroundings surroundings, List<XmppModule> modules) {
    this.domain = domain;
    this.surroundings = surroundings;
    this.declared = new HostDeclarations(domain);
    Map<Ports.KeyValues, String> stores = new HashMap<>();
    for (XmppModule module : modules) {
      Ports ports = module.ports();
      surroundings.ports().check(module.name(), ports);
      for (Ports.KeyValues store : ports.keyValues()) {
        String other = stores.putIfAbsent(store, module.name());
        if (other != null) {
          throw new IllegalStateException(
              "modules " + other + " and " + module.name() + " declare the same store: " + store);
        }
      }
      InstalledModule added = new InstalledModule(domain, surroundings, info, module, ports);
      added.install();
      installed.add(added);
    }
    this.declared = collectDeclarations();
    declared.dispatch.inlineBind(inlineBinds);
    this.dispatch = declared.dispatch.build();
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
    return declared.services().stream()
        .filter(service -> routed.contains(service.domain().domain()))
        .toList();
  }

  /// What clients may request while they bind.
  public InlineBinds inlineBinds() {
    return inlineBinds;
  }

  /// Features of authenticated streams.
  public List<Element> streamFeatures() {
    return declared.streamFeatures.stream().map(Supplier::get).toList();
  }

  /// Features of streams that have not authenticated.
  public List<Element> streamFeaturesBeforeAuthentication() {
    return declared.earlyStreamFeatures.stream().map(Supplier::get).toList();
  }

  /// The handler of that kind of request of streams that have not authenticated, or null.
  public @Nullable UnauthenticatedHandler unauthenticatedHandler(Iq.Type type, QName payload) {
    return declared.unauthenticated().find(type, payload);
  }

  /// Stops a module while the server runs: withdraws everything it declared, cancels its timers and
  /// then lets it release what it holds. Requests to it are answered `service-unavailable`. What it
  /// keeps with sessions and homes stays until they end. Blocks.
  ///
  /// @return false if no such module is running
  public boolean stopModule(String name) {
    InstalledModule stopped = withdraw(name);
    if (stopped == null) {
      return false;
    }
    stopped.stopServices();
    stopped.stop();
    LOG.atInfo().addKeyValue("module", name).addKeyValue("host", domain).log("module_stopped");
    return true;
  }

  /// Stops all modules, the last installed first. Services must have been stopped before.
  public void stop() {
    List<InstalledModule> all;
    synchronized (this) {
      all = List.copyOf(installed).reversed();
      installed.clear();
    }
    all.forEach(InstalledModule::stop);
  }

  private synchronized @Nullable InstalledModule withdraw(String name) {
    for (InstalledModule module : installed) {
      if (module.name().equals(name)) {
        installed.remove(module);
        HostDeclarations remaining = collectDeclarations();
        declared = remaining;
        dispatch.replace(remaining.dispatch);
        return module;
      }
    }
    return null;
  }

  private HostDeclarations collectDeclarations() {
    HostDeclarations all = new HostDeclarations(domain);
    installed.forEach(module -> module.declareTo(all));
    return all;
  }

  private HostDeclarations declared() {
    return declared;
  }

  /// What is declared at present.
  private final class DeclaredInfo implements HostInfo {
    @Override
    public List<DiscoIdentity> identities() {
      return declared.identities();
    }

    @Override
    public List<String> features() {
      return declared.features();
    }

    @Override
    public List<String> accountFeatures() {
      return declared.accountFeatures();
    }

    @Override
    public List<Element> forms() {
      return declared.forms();
    }

    @Override
    public List<DomainService<?>> services() {
      return VirtualHost.this.services();
    }
  }
}
