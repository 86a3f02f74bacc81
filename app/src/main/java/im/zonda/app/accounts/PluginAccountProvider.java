package im.zonda.app.accounts;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.store.ScramKeys;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The provider of accounts of a plugin, which may be added, replaced and removed while a host has
/// it in its chain.
final class PluginAccountProvider implements AccountProvider {
  private final String plugin;
  private final Function<String, @Nullable AccountProvider> plugins;

  /// @param plugins the provider of a plugin; null if it does not run, or has none
  PluginAccountProvider(String plugin, Function<String, @Nullable AccountProvider> plugins) {
    this.plugin = plugin;
    this.plugins = plugins;
  }

  private AccountProvider present() throws ProviderException {
    AccountProvider present = plugins.apply(plugin);
    if (present == null) {
      throw new ProviderException("the plugin " + plugin + " does not run, or has no accounts");
    }
    return present;
  }

  @Override
  public Set<Ability> abilities() {
    AccountProvider present = plugins.apply(plugin);
    return present == null ? Set.of(Ability.PASSWORD) : present.abilities();
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    return present().checkPassword(question);
  }

  @Override
  public Verdict checkToken(String domain, String token)
      throws ProviderException, InterruptedException {
    return present().checkToken(domain, token);
  }

  @Override
  public Verdict checkCertificate(
      String domain, @Nullable String local, List<X509Certificate> chain)
      throws ProviderException, InterruptedException {
    return present().checkCertificate(domain, local, chain);
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    return present().find(domain, local);
  }

  @Override
  public List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    return present().keys(domain, local);
  }

  @Override
  public Set<String> hashes() {
    AccountProvider present = plugins.apply(plugin);
    return present == null ? Set.of() : present.hashes();
  }

  @Override
  public boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    return present().setPassword(domain, local, password);
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    return present().groups(domain);
  }

  @Override
  public @Nullable URI issuer() {
    AccountProvider present = plugins.apply(plugin);
    return present == null ? null : present.issuer();
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    try {
      return present().test(question);
    } catch (ProviderException e) {
      return List.of(
          new TestStep("find the plugin", false, Duration.ZERO, String.valueOf(e.getMessage())));
    }
  }

  /// The provider is the plugin's.
  @Override
  public void close() {}
}
