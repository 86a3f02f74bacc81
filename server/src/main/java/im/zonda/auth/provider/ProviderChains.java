package im.zonda.auth.provider;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.auth.PasswordsElsewhere;
import im.zonda.config.ServerConfig;
import im.zonda.config.accounts.Accounts;
import im.zonda.jid.Jid;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.AccountStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The chains of all hosts. Hosts with the same settings share the connections of a provider, not
/// what is kept of its answers. Any thread may call.
public final class ProviderChains implements PasswordsElsewhere {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderChains.class);

  private final AccountStore accounts;
  private final AccountLinks links;
  private final ServerRuntime runtime;
  private final Source source;

  private ServerConfig applied;

  /// Replaced as a whole.
  private volatile Map<String, Host> hosts = Map.of();

  /// Opens providers.
  @FunctionalInterface
  public interface Source {
    /// There are none.
    Source NONE =
        (name, _) -> {
          throw new IllegalArgumentException("no accounts named " + name + " can be opened here");
        };

    /// Opens the provider of a chain. Connects to nobody yet.
    ///
    /// @param name the name in the chain
    /// @throws IllegalArgumentException if that cannot be, with the reason
    AccountProvider open(String name, Accounts settings);
  }

  /// @param gates by name, in the order of the chain
  private record Host(
      Accounts settings, Map<String, ProviderGate> gates, List<ProviderChain.Step> steps) {}

  /// @param accounts the accounts of all hosts
  /// @throws IllegalArgumentException if a provider cannot be opened, with the reason
  public ProviderChains(
      AccountStore accounts,
      AccountLinks links,
      ServerRuntime runtime,
      Source source,
      ServerConfig config) {
    this.accounts = accounts;
    this.links = links;
    this.runtime = runtime;
    this.source = source;
    this.applied = config;
    ServerConfig _ = apply(config);
  }

  /// Takes over the settings of hosts, and ends the connections that none needs. If a provider
  /// cannot be opened, all stays unchanged.
  ///
  /// @return the configuration before
  /// @throws IllegalArgumentException if one cannot be opened, with the reason
  public synchronized ServerConfig apply(ServerConfig config) {
    Map<String, Host> before = hosts;
    Map<Accounts, Map<String, ProviderGate>> open = new HashMap<>();
    before.values().forEach(host -> open.put(host.settings(), host.gates()));
    Map<String, Host> after = new LinkedHashMap<>();
    List<Map<String, ProviderGate>> opened = new ArrayList<>();
    try {
      for (String domain : config.hosts()) {
        Accounts settings = config.at(domain).accounts();
        Host same = before.get(domain);
        if (same != null && same.settings().equals(settings)) {
          after.put(domain, same);
          continue;
        }
        Map<String, ProviderGate> gates = open.get(settings);
        if (gates == null) {
          gates = new LinkedHashMap<>();
          opened.add(gates);
          open(settings, gates);
          open.put(settings, gates);
        }
        after.put(domain, host(settings, gates));
      }
    } catch (IllegalArgumentException e) {
      opened.forEach(ProviderChains::close);
      throw e;
    }
    hosts = after;
    before.values().stream()
        .filter(host ->
            after.values().stream().noneMatch(kept -> kept.settings().equals(host.settings())))
        .map(Host::gates)
        .distinct()
        .forEach(ProviderChains::close);
    ServerConfig last = applied;
    applied = config;
    return last;
  }

  private void open(Accounts settings, Map<String, ProviderGate> gates) {
    for (String name : settings.chain()) {
      if (!name.equals(Accounts.INTERNAL)) {
        gates.put(
            name,
            new ProviderGate(
                name,
                source.open(name, settings),
                settings.timeLimit(),
                settings.questions(),
                runtime.clock(),
                runtime.workers()));
      }
    }
  }

  private Host host(Accounts settings, Map<String, ProviderGate> gates) {
    List<ProviderChain.Step> steps = new ArrayList<>();
    for (String name : settings.chain()) {
      ProviderGate gate = gates.get(name);
      steps.add(
          gate == null
              ? new ProviderChain.Step.Own()
              : new ProviderChain.Step.Provider(
                  gate, new KeptAnswers(runtime.random(), runtime.clock())));
    }
    return new Host(settings, gates, steps);
  }

  private static void close(Map<String, ProviderGate> gates) {
    gates.values().forEach(ProviderGate::close);
  }

  /// The chain of a host; null if the host has the server's own accounts only, or is not known.
  ///
  /// @param ownHashes the hashes of which all accounts that the server keeps itself have keys
  public @Nullable ProviderChain find(String domain, Set<String> ownHashes) {
    Host host = hosts.get(domain);
    return host == null || host.settings().isInternal()
        ? null
        : new ProviderChain(
            host.steps(),
            host.settings(),
            new FirstLogin(domain, accounts, links, runtime),
            ownHashes);
  }

  /// The providers of all hosts: by domain, in the order of the chain.
  public Map<String, List<ProviderGate>> gates() {
    Map<String, List<ProviderGate>> gates = new LinkedHashMap<>();
    hosts.forEach((domain, host) -> gates.put(domain, List.copyOf(host.gates().values())));
    return gates;
  }

  @Override
  public boolean keeps(Jid account) {
    return links.find(account) != null;
  }

  @Override
  public boolean set(Jid account, String password) {
    ProviderChain chain = find(account.domain(), Set.of());
    try {
      return chain != null && chain.setPassword(account, password);
    } catch (ProviderException e) {
      LOG.atWarn()
          .addKeyValue("account", account)
          .addKeyValue("reason", e.getMessage())
          .log("password_not_set");
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean hasOwn(String domain) {
    Host host = hosts.get(domain);
    return host == null || host.settings().chain().contains(Accounts.INTERNAL);
  }

  /// The settings of a host; null if it is not known.
  public @Nullable Accounts settings(String domain) {
    Host host = hosts.get(domain);
    return host == null ? null : host.settings();
  }

  /// All groups that the providers of a host have. Blocks.
  ///
  /// @throws ProviderException if one of them does not answer
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    List<ProvidedGroup> groups = new ArrayList<>();
    for (ProviderGate gate :
        Objects.requireNonNullElse(gates().get(domain), List.<ProviderGate>of())) {
      if (gate.provider().abilities().contains(Ability.GROUPS)) {
        groups.addAll(gate.ask(asked -> asked.groups(domain)));
      }
    }
    return groups;
  }

  /// Which accounts are kept by providers.
  public AccountLinks links() {
    return links;
  }

  /// Ends all connections.
  public synchronized void close() {
    hosts.values().stream().map(Host::gates).distinct().forEach(ProviderChains::close);
    hosts = Map.of();
  }
}
