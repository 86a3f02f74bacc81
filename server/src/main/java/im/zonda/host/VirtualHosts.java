package im.zonda.host;

import im.zonda.account.PasswordLogin;
import im.zonda.config.ServerConfig;
import im.zonda.home.router.StanzaRouter;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;
import im.zonda.module.DomainService;
import im.zonda.module.XmppModule;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stream.client.StreamHost;
import im.zonda.stream.sasl.HostGuests;
import im.zonda.stream.sasl.SaslRealm;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The virtual hosts of a server, which are added, changed and removed while it runs. Any thread
/// may look them up.
final class VirtualHosts {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualHosts.class);

  /// A host, and the same as streams see it.
  private record Served(VirtualHost host, StreamHost streams) {}

  private final ServerRuntime runtime;
  private final OfferedPorts ports;
  private final StanzaRouter router;
  private final SessionGate gate;
  private final SaslRealm.Accounts accounts;
  private final Supplier<List<XmppModule>> modules;

  /// In the order of the configuration. Replaced as a whole.
  private volatile Map<String, Served> served = Map.of();

  /// Modules that are added to every host while the server runs: for each, what makes the module of
  /// a host.
  private final Map<String, Function<Jid, XmppModule>> added = new LinkedHashMap<>();

  /// No hosts.
  ///
  /// @param modules creates the modules of one host
  VirtualHosts(
      ServerRuntime runtime,
      OfferedPorts ports,
      StanzaRouter router,
      SessionGate gate,
      SaslRealm.Accounts accounts,
      Supplier<List<XmppModule>> modules) {
    this.runtime = runtime;
    this.ports = ports;
    this.router = router;
    this.gate = gate;
    this.accounts = accounts;
    this.modules = modules;
  }

  /// The hosts.
  List<VirtualHost> all() {
    return served.values().stream().map(Served::host).toList();
  }

  /// The host of a prepared domain, or null.
  @Nullable VirtualHost find(String domain) {
    Served found = served.get(domain);
    return found == null ? null : found.host();
  }

  /// The host of a prepared domain as streams see it, or null.
  @Nullable StreamHost findStreams(String domain) {
    Served found = served.get(domain);
    return found == null ? null : found.streams();
  }

  /// Checks passwords that come by pages.
  PasswordLogin passwords() {
    return ports.get(PasswordLogin.class);
  }

  /// A module of a host was changed by someone else.
  void noticed(String domain, String module) {
    VirtualHost host = find(domain);
    if (host != null) {
      host.noticed(module);
    }
  }

  /// What the hosts serve by HTTP.
  HttpHosts http() {
    return new HttpHosts() {
      @Override
      public List<String> domains() {
        return served.keySet().stream().toList();
      }

      @Override
      public List<HttpRoute> routes(String domain) {
        VirtualHost host = VirtualHosts.this.find(domain);
        return host == null ? List.of() : host.httpRoutes();
      }

      @Override
      public List<String> origins(String domain) {
        VirtualHost host = VirtualHosts.this.find(domain);
        return host == null ? List.of() : host.origins();
      }
    };
  }

  /// Creates the first hosts. Their services are not started.
  synchronized void open(ServerConfig first) {
    Map<String, Served> made = new LinkedHashMap<>();
    for (String name : first.hosts()) {
      made.put(name, create(name, first.at(name)));
    }
    made.values().forEach(each -> router.open(each.host().dispatch()));
    served = made;
  }

  /// Adds a module to every host, also to those that are added later. If that is not possible at
  /// one of them, no host has the module. Blocks.
  ///
  /// @param create makes the module of a host; its name is `name` at all of them
  /// @throws IllegalStateException if the module cannot be installed, with the reason
  synchronized void addModule(String name, Function<Jid, XmppModule> create) {
    if (added.putIfAbsent(name, create) != null) {
      throw new IllegalStateException("there is a module " + name);
    }
    try {
      for (VirtualHost host : all()) {
        if (host.knows(name)) {
          throw new IllegalStateException("there is a module " + name);
        }
        host.addModule(create.apply(host.domain()));
      }
    } catch (RuntimeException e) {
      removeModule(name);
      throw e;
    }
  }

  /// Removes a module that was added, from all hosts. Blocks.
  synchronized void removeModule(String name) {
    if (added.remove(name) != null) {
      all().forEach(host -> host.removeModule(name));
    }
  }

  /// Changes the hosts and their settings to those of another configuration. If a part of that is
  /// not possible, the hosts stay as they are. Blocks.
  ///
  /// @return what could not be done, in sentences for the administrator
  synchronized List<String> reload(ServerConfig changed) {
    Map<String, ServerConfig> before = new LinkedHashMap<>();
    served.forEach((name, each) -> before.put(name, each.host().config()));
    List<String> failures = new ArrayList<>();
    for (String name : before.keySet()) {
      if (!changed.hosts().contains(name) && isInTheWay(name, changed)) {
        remove(name);
      }
    }
    apply(changed.hosts(), changed::at, failures);
    if (!failures.isEmpty()) {
      List<String> lost = new ArrayList<>();
      List.copyOf(served.keySet()).stream()
          .filter(name -> !before.containsKey(name))
          .forEach(this::remove);
      apply(List.copyOf(before.keySet()), name -> Objects.requireNonNull(before.get(name)), lost);
      lost.forEach(each -> failures.add("with the settings from before, too, " + each));
      return failures;
    }
    for (String name : before.keySet()) {
      if (!changed.hosts().contains(name) && served.containsKey(name)) {
        remove(name);
      }
    }
    return failures;
  }

  /// Whether a domain of a host that is removed is one of another host from now on.
  private boolean isInTheWay(String gone, ServerConfig changed) {
    Set<String> domains = new HashSet<>(changed.hosts());
    changed.hosts().forEach(name -> domains.addAll(changed.serviceDomains(name)));
    Served leaving = Objects.requireNonNull(served.get(gone));
    return leaving.host().services().stream()
            .anyMatch(service -> domains.contains(service.domain().domain()))
        || domains.contains(gone);
  }

  /// Changes or adds hosts, which come first in that order.
  private void apply(
      List<String> names, Function<String, ServerConfig> configs, List<String> failures) {
    // Those without changes too: a module that could not be installed is tried again.
    for (String name : names) {
      Served each = served.get(name);
      if (each != null) {
        for (String module : each.host().change(configs.apply(name))) {
          failures.add("the module " + module + " of " + name + " could not be installed");
        }
      }
    }
    Map<String, Served> ordered = new LinkedHashMap<>();
    for (String name : names) {
      Served each = served.get(name);
      if (each == null) {
        each = add(name, configs.apply(name), failures);
      }
      if (each != null) {
        ordered.put(name, each);
      }
    }
    served.forEach(ordered::putIfAbsent);
    served = ordered;
  }

  private @Nullable Served add(String name, ServerConfig own, List<String> failures) {
    Served added;
    try {
      added = create(name, own);
      router.open(added.host().dispatch());
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("host", name).setCause(e).log("host_not_added");
      failures.add("the host " + name + " could not be added: " + e.getMessage());
      return null;
    }
    for (DomainService<?> service : added.host().services()) {
      try {
        service.started();
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("host", name).setCause(e).log("service_not_started");
      }
    }
    LOG.atInfo().addKeyValue("host", name).log("host_added");
    return added;
  }

  private void remove(String name) {
    Map<String, Served> fewer = new LinkedHashMap<>(served);
    Served gone = fewer.remove(name);
    served = fewer;
    if (gone != null) {
      gone.streams().close();
      gone.host().remove();
      LOG.atInfo().addKeyValue("host", name).log("host_removed");
    }
  }

  private Served create(String name, ServerConfig own) {
    VirtualHost.Surroundings surroundings =
        new VirtualHost.Surroundings(own, ports, router, runtime);
    Jid domain = Jid.of(name);
    List<XmppModule> all = new ArrayList<>(modules.get());
    added.values().forEach(each -> all.add(each.apply(domain)));
    VirtualHost host = new VirtualHost(domain, surroundings, all);
    return new Served(host, streams(host));
  }

  private StreamHost streams(VirtualHost host) {
    return new StreamHost(
        host.domain(),
        accounts.at(host.domain()),
        gate,
        host::unauthenticatedHandler,
        host::streamFeaturesBeforeAuthentication,
        host::streamFeatures,
        host::bindFeatures,
        new HostGuests(host.domain(), host.dispatch()::guests, runtime));
  }
}
