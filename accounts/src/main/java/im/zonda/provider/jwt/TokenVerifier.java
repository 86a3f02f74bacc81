package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks tokens of one issuer: what the settings say is right, and nothing that a token says of
/// itself. Any thread may call.
public final class TokenVerifier implements AutoCloseable {
  /// By how much the clocks of the issuer and of this machine may differ.
  static final Duration SKEW = Duration.ofSeconds(60);

  /// The most keys that are tried for one token.
  private static final int MOST_TRIES = 16;

  /// Parameters that bring a key or the address of one along, or change what a signature means.
  private static final List<String> REFUSED = List.of("jku", "jwk", "x5u", "x5c", "crit", "b64");

  /// Tokens for other ends, such as `logout+jwt`, are none that log in.
  private static final Set<String> TYPES =
      Set.of("jwt", "application/jwt", "at+jwt", "application/at+jwt");

  private final String issuer;
  private final Set<String> audiences;
  private final Set<SignatureAlgorithm> algorithms;
  private final KeySource source;
  private final InstantSource clock;

  /// @param audiences of which a token must have one
  /// @param algorithms those that are accepted
  TokenVerifier(
      String issuer,
      Set<String> audiences,
      Set<SignatureAlgorithm> algorithms,
      KeySource source,
      InstantSource clock) {
    this.issuer = issuer;
    this.audiences = Set.copyOf(audiences);
    this.algorithms = Set.copyOf(algorithms);
    this.source = source;
    this.clock = clock;
  }

  /// The claims of a token that is right. May block.
  ///
  /// @throws TokenException if it is not right
  /// @throws ProviderException if that cannot be found out now
  public Claims verify(String text) throws TokenException, ProviderException, InterruptedException {
    SignedToken token = SignedToken.parse(text);
    checkIssuer(token);
    SignatureAlgorithm algorithm = checkHeader(token);
    checkSignature(token, algorithm);
    checkAudience(token);
    checkTimes(token);
    return token.claims();
  }

  /// The issuer, before anything else: it says whether another provider is to be asked.
  void checkIssuer(SignedToken token) throws TokenException {
    if (!issuer.equals(token.claims().values().get("iss"))) {
      throw TokenException.foreign("the token is not of the issuer " + issuer);
    }
  }

  /// The header; returns the algorithm.
  SignatureAlgorithm checkHeader(SignedToken token) throws TokenException {
    for (String name : REFUSED) {
      if (token.header().containsKey(name)) {
        throw TokenException.wrong("the header has " + name + ", which is not accepted");
      }
    }
    String type = token.headerText("typ");
    if (type != null && !TYPES.contains(type.toLowerCase(Locale.ROOT))) {
      throw TokenException.wrong("the token is of another type, " + printable(type));
    }
    String name = token.headerText("alg");
    SignatureAlgorithm algorithm = SignatureAlgorithm.ofName(name);
    if (algorithm == null || !algorithms.contains(algorithm)) {
      throw TokenException.wrong(
          "the algorithm " + (name == null ? "is missing" : printable(name) + " is not accepted"));
    }
    return algorithm;
  }

  void checkSignature(SignedToken token, SignatureAlgorithm algorithm)
      throws TokenException, ProviderException, InterruptedException {
    String id = token.headerText("kid");
    boolean known = false;
    for (boolean last = false; ; last = true) {
      int tries = 0;
      for (VerificationKey key : source.keys()) {
        boolean named = id == null || key.id() == null || key.id().equals(id);
        if (named && key.serves(algorithm) && tries++ < MOST_TRIES) {
          known |= id != null && id.equals(key.id());
          if (algorithm.verifies(key.key(), token.signed(), token.signature())) {
            return;
          }
        }
      }
      if (known || last || !source.refresh()) {
        throw TokenException.wrong(
            tries == 0
                ? "there is no key for " + algorithm.jwtName() + named(id)
                : "the signature is wrong");
      }
    }
  }

  private static String named(@Nullable String id) {
    return id == null ? "" : " with the name " + printable(id);
  }

  void checkAudience(SignedToken token) throws TokenException {
    if (token.claims().texts("aud").stream().noneMatch(audiences::contains)) {
      throw TokenException.wrong("the token is for others: none of its audiences is accepted");
    }
    if (token.claims().values().containsKey("cnf")) {
      throw TokenException.wrong("the token is bound to a key, so that it may not be used alone");
    }
  }

  void checkTimes(SignedToken token) throws TokenException {
    Instant now = clock.instant();
    Instant expiry = token.claims().time("exp");
    Instant notBefore = token.claims().time("nbf");
    Instant issued = token.claims().time("iat");
    if (expiry == null) {
      throw TokenException.wrong("the token has no end (exp)");
    }
    if (!now.minus(SKEW).isBefore(expiry)) {
      throw TokenException.wrong("the token has expired at " + expiry);
    }
    if (notBefore != null && notBefore.isAfter(now.plus(SKEW))) {
      throw TokenException.wrong("the token is not valid before " + notBefore);
    }
    if (issued != null && issued.isAfter(now.plus(SKEW))) {
      throw TokenException.wrong("the token was issued in the future, at " + issued);
    }
  }

  /// Reads the keys again.
  ///
  /// @return how many there are
  int readKeys() throws ProviderException, InterruptedException {
    return source.readAgain().size();
  }

  /// A short text of a stranger that a log line may have.
  private static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.chars()
        .limit(40)
        .forEach(each -> printable.append(each > ' ' && each < 0x7f ? (char) each : '?'));
    return printable.toString();
  }

  @Override
  public void close() {
    source.close();
  }
}
