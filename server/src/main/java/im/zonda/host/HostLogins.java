package im.zonda.host;

import im.zonda.account.PasswordLogin;
import im.zonda.auth.CommonHashes;
import im.zonda.auth.KnownClients;
import im.zonda.auth.StoredDisabling;
import im.zonda.auth.provider.AccountLinks;
import im.zonda.auth.provider.KeptGroups;
import im.zonda.auth.provider.ProviderChains;
import im.zonda.auth.provider.ProviderSweep;
import im.zonda.config.ServerConfig;
import im.zonda.group.ProvidedGroups;
import im.zonda.home.router.StanzaRouter;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.session.Session;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.Stores;
import im.zonda.stream.sasl.Authenticator;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.LoginPause;
import im.zonda.stream.sasl.PageLogins;
import im.zonda.stream.sasl.SaslContext;
import im.zonda.stream.sasl.SaslRealm;
import im.zonda.throttle.FailedLogins;
import im.zonda.throttle.FairTurns;
import im.zonda.throttle.LoginThrottle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Logins to the accounts of all hosts: by streams and by pages, to accounts that are kept here and
/// elsewhere.
final class HostLogins {
  private final ServerConfig config;
  private final Stores stores;
  private final ServerRuntime runtime;
  private final LoginPause pause;
  private final SaslContext sasl;
  private final ProviderChains chains;
  private final KeptGroups groups;
  private final StoredAccounts accounts;
  private Scheduler.@Nullable Cancellable looking;

  /// @param secret at least 16 secret bytes that stay the same over restarts
  /// @param providers opens those who keep accounts elsewhere
  HostLogins(
      ServerConfig config,
      Stores stores,
      byte[] secret,
      ServerRuntime runtime,
      ProviderChains.Source providers) {
    this.config = config;
    this.stores = stores;
    this.runtime = runtime;
    this.pause = new LoginPause(runtime);
    this.sasl = context(secret);
    this.chains =
        new ProviderChains(
            stores.accounts(),
            new AccountLinks(stores.keyValues(AccountLinks.STORE)),
            runtime,
            providers,
            config);
    this.groups = new KeptGroups(chains);
    this.accounts =
        new StoredAccounts(
            stores.accounts(),
            disabling(),
            new CommonHashes(stores.keyValues(CommonHashes.STORE)),
            chains);
  }

  private SaslContext context(byte[] secret) {
    return new SaslContext(
        authenticator(secret),
        new ClientTokens(secret, clients(), runtime, config.limits().tokenTime()),
        new LoginThrottle(
            config.limits().login(),
            config.limits().negotiationTime(),
            runtime.clock(),
            runtime.ids().next()),
        new FailedLogins(runtime.clock(), runtime.scheduler()),
        config.limits().saslFailures(),
        runtime);
  }

  private Authenticator authenticator(byte[] secret) {
    FairTurns checks =
        new FairTurns(
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            config.limits().login().passwordQueue());
    return new Authenticator(pause, secret, checks);
  }

  /// What all authentications share.
  SaslContext sasl() {
    return sasl;
  }

  /// Has logins wait while others need the machine more.
  LoginPause pause() {
    return pause;
  }

  /// The accounts of all hosts.
  SaslRealm.Accounts accounts() {
    return accounts;
  }

  /// Checks passwords that come by pages.
  PasswordLogin pages() {
    return new PageLogins(sasl, accounts, disabling());
  }

  /// Whom hosts ask about accounts that are kept elsewhere.
  ProviderChains chains() {
    return chains;
  }

  /// The groups that providers have given last.
  ProvidedGroups groups() {
    return groups;
  }

  /// The clients that accounts have.
  KnownClients clients() {
    return new KnownClients(
        stores.keyValues(KnownClients.STORE),
        config.limits().clients(),
        config.limits().tokenTime(),
        runtime.clock());
  }

  /// Which accounts are disabled.
  StoredDisabling disabling() {
    return new StoredDisabling(stores.keyValues(StoredDisabling.STORE), runtime.clock());
  }

  /// Signs out those whose accounts are gone elsewhere, from now on.
  void start(StanzaRouter router) {
    looking =
        ProviderSweep.start(
            chains, groups, () -> online(router), account -> signOut(router, account), runtime);
  }

  private static List<Jid> online(StanzaRouter router) {
    return router.sessions().all().stream().map(each -> each.jid().bare()).distinct().toList();
  }

  private static void signOut(StanzaRouter router, Jid account) {
    boolean _ =
        router.atHome(
            account,
            home -> {
              for (Session each : List.copyOf(home.sessions())) {
                each.close(StreamErrorCondition.NOT_AUTHORIZED, "The account was disabled.");
              }
            });
  }

  /// Ends the connections to those who keep accounts.
  void close() {
    if (looking != null) {
      looking.cancel();
    }
    chains.close();
  }
}
