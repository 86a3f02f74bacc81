package im.zonda.provider.jwt;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import im.zonda.config.accounts.JwtAccounts;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Accounts of an issuer of tokens: a token is the proof, by OAUTHBEARER or as the password of
/// PLAIN. The account is there as soon as its first token is.
public final class JwtAccountProvider implements AccountProvider {
  private final JwtAccounts settings;
  private final TokenVerifier verifier;

  private JwtAccountProvider(JwtAccounts settings, TokenVerifier verifier) {
    this.settings = settings;
    this.verifier = verifier;
  }

  /// A provider with those settings, which are checked.
  ///
  /// @param time the most time that one answer of the issuer takes
  /// @throws ProviderException if a file that the settings name cannot be used
  public static JwtAccountProvider create(JwtAccounts settings, Duration time, InstantSource clock)
      throws ProviderException {
    Set<SignatureAlgorithm> algorithms = EnumSet.noneOf(SignatureAlgorithm.class);
    for (String name : settings.algorithms()) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofName(name);
      if (algorithm == null) {
        throw new ProviderException("there is no algorithm " + name);
      }
      algorithms.add(algorithm);
    }
    TokenVerifier verifier =
        new TokenVerifier(
            settings.issuer(),
            Set.copyOf(settings.audiences()),
            algorithms,
            source(settings, time, clock),
            clock);
    return new JwtAccountProvider(settings, verifier);
  }

  private static KeySource source(JwtAccounts settings, Duration time, InstantSource clock)
      throws ProviderException {
    String secret = settings.secret();
    if (secret != null) {
      byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
      List<VerificationKey> own =
          List.of(new VerificationKey(null, null, VerificationKey.secret(bytes)));
      return usesPublicKeys(settings)
          ? new KeySource.Joined(own, publicSource(settings, time, clock))
          : new KeySource.Fixed(own);
    }
    return publicSource(settings, time, clock);
  }

  private static boolean usesPublicKeys(JwtAccounts settings) {
    return settings.algorithms().stream()
        .map(SignatureAlgorithm::ofName)
        .anyMatch(each -> each != null && !each.isSecret());
  }

  private static KeySource publicSource(JwtAccounts settings, Duration time, InstantSource clock)
      throws ProviderException {
    if (settings.keys() != null) {
      return new FileKeys(settings.keys());
    }
    String url = settings.keysUrl();
    return new RemoteKeys(
        new JsonClient(settings.authorities(), time),
        settings.issuer(),
        url == null ? null : URI.create(url),
        clock);
  }

  @Override
  public Set<Ability> abilities() {
    return settings.password() ? Set.of(Ability.TOKEN, Ability.PASSWORD) : Set.of(Ability.TOKEN);
  }

  @Override
  public @Nullable URI issuer() {
    return settings.secret() == null || usesPublicKeys(settings)
        ? Discovery.place(settings.issuer())
        : null;
  }

  @Override
  public Verdict checkToken(String domain, String token)
      throws ProviderException, InterruptedException {
    try {
      return new Verdict.Accepted(account(domain, verifier.verify(token)));
    } catch (TokenException e) {
      return e.isForeign() ? Verdict.UNKNOWN : new Verdict.Wrong(e.reason());
    }
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    Verdict verdict = checkToken(question.domain(), question.password());
    return verdict instanceof Verdict.Accepted(ProvidedAccount account)
            && !account.local().equals(question.local())
        ? new Verdict.Wrong("the token is for the account " + account.local())
        : verdict;
  }

  private ProvidedAccount account(String domain, Claims claims) throws TokenException {
    String value = claims.text(settings.claim());
    if (value == null) {
      throw TokenException.wrong("the token has no claim " + settings.claim());
    }
    String local = local(domain, value);
    String subject = claims.text("sub");
    String id = subject == null ? null : settings.issuer() + ' ' + subject;
    if (id != null && id.length() > ProvidedAccount.MOST_CHARS) {
      throw TokenException.wrong("the claim sub is too long");
    }
    return new ProvidedAccount(
        local, id, false, cut(claims.values().get("name")), cut(claims.values().get("email")));
  }

  private String local(String domain, String value) throws TokenException {
    try {
      int at = value.lastIndexOf('@');
      Jid jid =
          at < 0
              ? Jid.of(value, domain, null)
              : Jid.of(value.substring(0, at), value.substring(at + 1), null);
      if (jid.domain().equals(Jid.of(null, domain, null).domain())) {
        return Objects.requireNonNull(jid.local());
      }
      throw TokenException.wrong("the claim " + settings.claim() + " is for another host");
    } catch (JidFormatException e) {
      throw TokenException.wrong("the claim " + settings.claim() + " cannot be an address");
    }
  }

  private static @Nullable String cut(@Nullable Object value) {
    if (!(value instanceof String text) || text.isBlank()) {
      return null;
    }
    int end = Math.min(text.length(), ProvidedAccount.MOST_CHARS);
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) throws InterruptedException {
    TestRun run = new TestRun();
    run.step("keys", () -> verifier.readKeys() + " keys of " + settings.issuer());
    SignedToken token =
        run.get("token", () -> SignedToken.parse(question.password()), "it is a signed token");
    if (token == null) {
      return run.steps();
    }
    run.step(
        "issuer",
        () -> {
          verifier.checkIssuer(token);
          return "the token is of " + settings.issuer();
        });
    SignatureAlgorithm algorithm =
        run.get("algorithm", () -> verifier.checkHeader(token), "the algorithm is accepted");
    if (algorithm != null) {
      run.step(
          "signature",
          () -> {
            verifier.checkSignature(token, algorithm);
            return "it is right, by " + algorithm.jwtName();
          });
    }
    run.step(
        "audience",
        () -> {
          verifier.checkAudience(token);
          return "it is one of " + String.join(", ", settings.audiences());
        });
    run.step(
        "times",
        () -> {
          verifier.checkTimes(token);
          return "the token is valid now";
        });
    run.step("account", () -> checkAccount(question, token.claims()));
    return run.steps();
  }

  private String checkAccount(PasswordQuestion question, Claims claims) throws TokenException {
    String local = account(question.domain(), claims).local();
    if (!local.equals(question.local())) {
      throw TokenException.wrong("the token is for the account " + local);
    }
    return "the token is for " + local + '@' + question.domain();
  }

  @Override
  public void close() {
    verifier.close();
  }
}
