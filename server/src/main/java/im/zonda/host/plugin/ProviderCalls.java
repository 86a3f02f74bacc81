package im.zonda.host.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.host.plugin.guard.Held;
import im.zonda.host.plugin.guard.PluginCallException;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.store.ScramKeys;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The provider of accounts of a plugin, as the server asks it. The caller limits the time by
/// interruption; the limit here is for those who do not. Closing it closes nothing: the plugin ends
/// its connections when it is stopped.
final class ProviderCalls implements AccountProvider {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final PluginGuard guard;
  private final Held<AccountProvider> provider;
  private final Set<Ability> abilities;
  private final Set<String> hashes;
  private final @Nullable URI issuer;

  /// @param given as the plugin has given it; what never changes is asked now
  ProviderCalls(PluginGuard guard, Held<AccountProvider> provider, AccountProvider given) {
    this.guard = guard;
    this.provider = provider;
    this.abilities = Set.copyOf(given.abilities());
    this.hashes = Set.copyOf(given.hashes());
    this.issuer = given.issuer();
  }

  private <T> @Nullable T ask(String what, PluginGuard.Call<AccountProvider, T> call)
      throws ProviderException, InterruptedException {
    try {
      return guard.callLong(provider, what, LIMIT, ProviderException.class, call);
    } catch (ProviderException | InterruptedException e) {
      throw e;
    } catch (PluginCallException e) {
      throw new ProviderException(String.valueOf(e.getMessage()), e);
    } catch (Exception e) { // nothing else is thrown
      throw new ProviderException("the provider has failed", e);
    }
  }

  private <T> T answer(String what, PluginGuard.Call<AccountProvider, T> call)
      throws ProviderException, InterruptedException {
    T answer = ask(what, call);
    if (answer == null) {
      throw new ProviderException("the provider has not answered");
    }
    return answer;
  }

  @Override
  public Set<Ability> abilities() {
    return abilities;
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    return answer("accounts", asked -> asked.checkPassword(question));
  }

  @Override
  public Verdict checkToken(String domain, String token)
      throws ProviderException, InterruptedException {
    return answer("accounts", asked -> asked.checkToken(domain, token));
  }

  @Override
  public Verdict checkCertificate(
      String domain, @Nullable String local, List<X509Certificate> chain)
      throws ProviderException, InterruptedException {
    return answer("accounts", asked -> asked.checkCertificate(domain, local, chain));
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    return answer("accounts", asked -> asked.find(domain, local));
  }

  @Override
  public List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    return answer("accounts", asked -> List.copyOf(asked.keys(domain, local)));
  }

  @Override
  public Set<String> hashes() {
    return hashes;
  }

  @Override
  public boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    return answer("accounts", asked -> asked.setPassword(domain, local, password));
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    return answer("groups", asked -> List.copyOf(asked.groups(domain)));
  }

  @Override
  public @Nullable URI issuer() {
    return issuer;
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    try {
      return answer("accounts", asked -> List.copyOf(asked.test(question)));
    } catch (ProviderException e) {
      return List.of(
          new TestStep("ask the plugin", false, Duration.ZERO, String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void close() {}
}
