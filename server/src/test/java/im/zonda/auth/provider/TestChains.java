package im.zonda.auth.provider;

import im.zonda.config.ServerConfig;
import im.zonda.config.accounts.Accounts;
import im.zonda.runtime.ServerRuntime;
import im.zonda.runtime.TestRuntime;
import im.zonda.store.AccountStore;
import im.zonda.stream.client.FakeValues;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// Chains of the host `example.org` for tests.
public final class TestChains {
  private TestChains() {}

  /// Hosts with the server's own accounts.
  public static ProviderChains own(AccountStore accounts, InstantSource clock) {
    return new ProviderChains(
        accounts,
        new AccountLinks(new FakeValues()),
        new TestRuntime().clock(clock).build(),
        ProviderChains.Source.NONE,
        config(List.of(Accounts.INTERNAL), false));
  }

  /// A host whose chain has these names.
  static ProviderChains of(
      AccountStore accounts,
      ServerRuntime runtime,
      Map<String, KnownPeople> providers,
      ServerConfig config) {
    return new ProviderChains(
        accounts,
        new AccountLinks(new FakeValues()),
        runtime,
        (name, _) -> {
          KnownPeople found = providers.get(name);
          if (found == null) {
            throw new IllegalArgumentException("no " + name);
          }
          return found;
        },
        config);
  }

  static ServerConfig config(List<String> chain, boolean adopt) {
    Accounts accounts =
        new Accounts(
            chain,
            Duration.ofMinutes(5),
            Duration.ofHours(1),
            Duration.ofMillis(200),
            2,
            Duration.ofMinutes(5),
            adopt,
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());
    return ServerConfig.defaults(List.of("example.org"), Path.of("data")).withAccounts(accounts);
  }
}
