package im.zonda.account.provider;

import im.zonda.store.ScramKeys;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A service that keeps accounts: it says who someone is, and the server does the rest. Hosts ask
/// the providers of their chain one after another.
///
/// Calls may block, on a virtual thread; the caller limits how many are made at a time and how long
/// one may take, and interrupts the thread when that time is over. A provider keeps connections of
/// its own, and no answers: the caller keeps those. Any thread may call.
public interface AccountProvider extends AutoCloseable {
  /// What a provider can do.
  enum Ability {
    /// [#checkPassword]: mechanisms that show the password, such as PLAIN.
    PASSWORD,
    /// [#keys]: SCRAM.
    SCRAM_KEYS,
    /// [#checkToken]: OAUTHBEARER.
    TOKEN,
    /// [#checkCertificate]: EXTERNAL.
    CERTIFICATE,
    /// [#find]: whether someone is still there, without a password.
    FIND,
    /// [#setPassword].
    SET_PASSWORD,
    /// [#groups].
    GROUPS
  }

  /// What it can do; always the same.
  Set<Ability> abilities();

  /// Checks a password.
  ///
  /// @throws ProviderException if it cannot be checked now
  default Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    return Verdict.UNKNOWN;
  }

  /// Checks a token, which names the account.
  ///
  /// @param domain the domain of the host
  /// @param token at most 8,192 characters, untrusted
  /// @throws ProviderException if it cannot be checked now
  default Verdict checkToken(String domain, String token)
      throws ProviderException, InterruptedException {
    return Verdict.UNKNOWN;
  }

  /// Finds the account of a client's certificate.
  ///
  /// @param domain the domain of the host
  /// @param local the local part that the client asks for, prepared; null if it asks for none
  /// @param chain the client's certificate first; that the client has its key was proved, and
  ///   nothing else: the provider checks who has issued it
  /// @throws ProviderException if it cannot be checked now
  default Verdict checkCertificate(
      String domain, @Nullable String local, List<X509Certificate> chain)
      throws ProviderException, InterruptedException {
    return Verdict.UNKNOWN;
  }

  /// Finds an account without a password. [Verdict.Wrong] is no answer to that.
  ///
  /// @param local a local part, prepared
  /// @throws ProviderException if the service does not answer
  default Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    return Verdict.UNKNOWN;
  }

  /// The SCRAM keys of an account, one entry per hash; empty if there is no such account.
  ///
  /// @param local a local part, prepared
  /// @throws ProviderException if the service does not answer
  default List<ScramKeys> keys(String domain, String local)
      throws ProviderException, InterruptedException {
    return List.of();
  }

  /// The hashes of which [#keys] has keys of all accounts, if it can: for those SCRAM is offered.
  /// Does not block.
  default Set<String> hashes() {
    return Set.of("SHA-1", "SHA-256", "SHA-512");
  }

  /// Sets the password of an account.
  ///
  /// @param local a local part, prepared
  /// @return whether the service has taken it
  /// @throws ProviderException if the service does not answer
  default boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    return false;
  }

  /// All groups with their members. Called every few minutes at most.
  ///
  /// @throws ProviderException if the service does not answer
  default List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    return List.of();
  }

  /// Where clients get tokens: the URL of the issuer's description
  /// (`…/.well-known/openid-configuration`). Null if there are none, or if nobody can look it up.
  /// Does not block.
  default @Nullable URI issuer() {
    return null;
  }

  /// Logs in once step by step, for an administrator who looks for what is wrong. Nothing that was
  /// kept is used; what fails is a step, not an exception.
  List<TestStep> test(PasswordQuestion question) throws InterruptedException;

  /// Ends its connections and processes. Calls that are running fail.
  @Override
  void close();
}
