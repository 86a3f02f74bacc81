package im.zonda.provider.certificate;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.CertificateAccounts;
import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Accounts that certificates name which an authority of the operator has issued (XEP-0178, section
/// 2).
///
/// Files that have changed are read at the next question; those that cannot be used are a failure
/// of the provider, because what was revoked is not known then.
public final class CertificateProvider implements AccountProvider {
  private static final int MOST_CERTIFICATES = 10;
  private static final int MOST_BYTES = 65_536;
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USAGE = "2.5.29.37.0";

  private final CertificateAccounts settings;
  private final List<CertificateAddresses.Kind> kinds;
  private final InstantSource clock;
  private volatile Authorities authorities;

  private CertificateProvider(
      CertificateAccounts settings,
      List<CertificateAddresses.Kind> kinds,
      InstantSource clock,
      Authorities authorities) {
    this.settings = settings;
    this.kinds = kinds;
    this.clock = clock;
    this.authorities = authorities;
  }

  /// Makes a provider.
  ///
  /// @throws IllegalArgumentException if a name of the settings is not known
  /// @throws IOException with a sentence for the administrator if a file cannot be used
  public static CertificateProvider of(CertificateAccounts settings, InstantSource clock)
      throws IOException {
    return new CertificateProvider(settings, kinds(settings), clock, Authorities.read(settings));
  }

  private static List<CertificateAddresses.Kind> kinds(CertificateAccounts settings) {
    if (settings.names().isEmpty()) {
      throw new IllegalArgumentException("is empty: no certificate would have an address");
    }
    return settings.names().stream().map(CertificateAddresses.Kind::of).toList();
  }

  /// What is wrong with `names`; null if nothing is.
  public static @Nullable String problemWithNames(CertificateAccounts settings) {
    try {
      return kinds(settings).isEmpty() ? "is empty" : null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /// What is wrong with the files; null if nothing is. Blocks.
  public static @Nullable String problemWithFiles(CertificateAccounts settings) {
    try {
      return Authorities.read(settings).anchors().isEmpty() ? "no authority" : null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Override
  public Set<Ability> abilities() {
    return EnumSet.of(Ability.CERTIFICATE);
  }

  @Override
  public Verdict checkCertificate(
      String domain, @Nullable String local, List<X509Certificate> chain) throws ProviderException {
    if (chain.isEmpty()) {
      return Verdict.UNKNOWN;
    }
    if (chain.size() > MOST_CERTIFICATES) {
      return new Verdict.Wrong("the chain of certificates is too long");
    }
    X509Certificate own = chain.getFirst();
    try {
      Authorities known = current();
      int length = 0;
      while (length < chain.size() && !known.contains(chain.get(length))) {
        if (chain.get(length).getEncoded().length > MOST_BYTES) {
          return new Verdict.Wrong("the certificate is too large");
        }
        length++;
      }
      if (length == 0) {
        return new Verdict.Wrong("the certificate is that of an authority");
      }
      known.validate(chain.subList(0, length), clock.instant());
      if (!isForClients(own)) {
        return new Verdict.Wrong("the certificate is not for clients (key usage)");
      }
      return verdict(CertificateAddresses.locals(own, kinds, domain), local);
    } catch (CertPathValidatorException e) {
      return refused(e);
    } catch (CertificateException | IOException e) {
      return new Verdict.Wrong("the certificate cannot be read");
    }
  }

  private static Verdict verdict(Set<String> locals, @Nullable String local) {
    if (locals.isEmpty()) {
      return Verdict.UNKNOWN;
    }
    if (local != null) {
      return locals.contains(local)
          ? new Verdict.Accepted(ProvidedAccount.of(local))
          : new Verdict.Wrong("the certificate does not name the account");
    }
    return locals.size() == 1
        ? new Verdict.Accepted(ProvidedAccount.of(locals.iterator().next()))
        : new Verdict.Wrong(Verdict.SEVERAL_ADDRESSES);
  }

  /// RFC 5280, sections 4.2.1.3 and 4.2.1.12.
  private static boolean isForClients(X509Certificate certificate)
      throws CertificateParsingException {
    List<String> extended = certificate.getExtendedKeyUsage();
    boolean[] usage = certificate.getKeyUsage();
    return (extended == null || extended.contains(CLIENT_AUTH) || extended.contains(ANY_USAGE))
        && (usage == null || usage[0])
        && certificate.getBasicConstraints() < 0;
  }

  private static Verdict refused(CertPathValidatorException failure) throws ProviderException {
    Reason reason = failure.getReason();
    if (reason == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
      throw new ProviderException(
          "there is no list of revoked certificates of the authority that is in force");
    }
    if (reason == PKIXReason.NO_TRUST_ANCHOR) {
      return Verdict.UNKNOWN; // another provider may know the authority
    }
    return new Verdict.Wrong(
        "the certificate is not valid: "
            + String.valueOf(reason).toLowerCase(Locale.ROOT).replace('_', ' '));
  }

  /// The files as they are now.
  private Authorities current() throws ProviderException {
    try {
      Authorities known = authorities;
      if (!known.versions().equals(Authorities.versions(settings))) {
        known = Authorities.read(settings);
        authorities = known;
      }
      return known;
    } catch (IOException e) {
      throw new ProviderException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) {
    long start = System.nanoTime();
    List<TestStep> steps = new ArrayList<>();
    boolean ok = true;
    String text;
    try {
      Authorities known = current();
      text =
          "authorities: "
              + known.anchors().size()
              + (known.revocations() == null ? "; revoked certificates are accepted" : "");
    } catch (ProviderException e) {
      ok = false;
      text = String.valueOf(e.getMessage());
    }
    steps.add(new TestStep("read", ok, Duration.ofNanos(System.nanoTime() - start), text));
    return steps;
  }

  @Override
  public void close() {
    // nothing is open
  }
}
