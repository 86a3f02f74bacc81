package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.SignOn;
import im.zonda.config.accounts.SsoIssuer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Signs administrators in by the pages of an issuer: the flow by authorization code with PKCE
/// (OpenID Connect Core 1.0, section 3.1; RFC 7636). The token is checked as those of accounts are.
public final class IssuerSignOn implements SignOn {
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final int MOST_CODE = 2_048;
  private static final int MOST_NAME = 80;

  private final SsoIssuer settings;
  private final JsonClient client;
  private final TokenVerifier verifier;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Discovery known;
  private Instant read = Instant.MIN;

  private IssuerSignOn(
      SsoIssuer settings, JsonClient client, TokenVerifier verifier, InstantSource clock) {
    this.settings = settings;
    this.client = client;
    this.verifier = verifier;
    this.clock = clock;
  }

  /// With settings that were checked.
  ///
  /// @param time the most time that one answer of the issuer takes
  /// @throws ProviderException if a file that the settings name cannot be used
  public static IssuerSignOn create(SsoIssuer settings, Duration time, InstantSource clock)
      throws ProviderException {
    Set<SignatureAlgorithm> algorithms = EnumSet.noneOf(SignatureAlgorithm.class);
    for (String name : settings.algorithms()) {
      SignatureAlgorithm algorithm = SignatureAlgorithm.ofName(name);
      if (algorithm == null || algorithm.isSecret()) {
        throw new ProviderException("there is no algorithm with public keys named " + name);
      }
      algorithms.add(algorithm);
    }
    JsonClient client = new JsonClient(settings.authorities(), time);
    TokenVerifier verifier =
        new TokenVerifier(
            settings.issuer(),
            Set.of(settings.clientId()),
            algorithms,
            new RemoteKeys(client, settings.issuer(), null, clock),
            clock);
    return new IssuerSignOn(settings, client, verifier, clock);
  }

  @Override
  public String label() {
    String host = URI.create(settings.issuer()).getHost();
    return settings.label().isBlank() ? String.valueOf(host) : settings.label();
  }

  private Discovery discovery() throws ProviderException, InterruptedException {
    asking.lockInterruptibly();
    try {
      Discovery now = known;
      if (now == null || read.plus(FRESH).isBefore(clock.instant())) {
        now = Discovery.ask(client, settings.issuer());
        known = now;
        read = clock.instant();
      }
      return now;
    } finally {
      asking.unlock();
    }
  }

  @Override
  public URI begin(Exchange exchange) throws ProviderException, InterruptedException {
    URI place = discovery().url("authorization_endpoint");
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", settings.clientId());
    parameters.put("redirect_uri", exchange.redirect().toString());
    parameters.put("scope", String.join(" ", settings.scopes()));
    parameters.put("state", exchange.state());
    parameters.put("nonce", exchange.nonce());
    parameters.put("code_challenge", challenge(exchange.verifier()));
    parameters.put("code_challenge_method", "S256");
    String separator = place.getRawQuery() == null ? "?" : "&";
    return URI.create(place + separator + form(parameters));
  }

  private static String challenge(String secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(digest.digest(secret.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  private static String form(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + "=" + encode(each.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public Person finish(String code, Exchange exchange)
      throws ProviderException, InterruptedException {
    if (code.isEmpty() || code.length() > MOST_CODE) {
      throw new ProviderException("the browser has brought no code");
    }
    Discovery discovery = discovery();
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("grant_type", "authorization_code");
    parameters.put("code", code);
    parameters.put("redirect_uri", exchange.redirect().toString());
    parameters.put("client_id", settings.clientId());
    parameters.put("code_verifier", exchange.verifier());
    String secret = settings.clientSecret();
    String authorization = null;
    if (secret != null && takesBasic(discovery)) {
      String pair = encode(settings.clientId()) + ":" + encode(secret);
      authorization =
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    } else if (secret != null) {
      parameters.put("client_secret", secret);
    }
    Map<String, Object> answer =
        client.post(discovery.url("token_endpoint"), form(parameters), authorization);
    if (!(answer.get("id_token") instanceof String token)) {
      throw new ProviderException(settings.issuer() + " has given no id_token");
    }
    try {
      return person(verifier.verify(token), exchange);
    } catch (TokenException e) {
      throw new ProviderException("the id_token is not accepted: " + e.reason());
    }
  }

  /// The form of RFC 6749, section 2.3.1, unless the issuer says that it takes the other one alone.
  private static boolean takesBasic(Discovery discovery) {
    return !(discovery.values().get("token_endpoint_auth_methods_supported") instanceof List<?> all)
        || all.contains("client_secret_basic")
        || !all.contains("client_secret_post");
  }

  private Person person(Claims claims, Exchange exchange) throws TokenException, ProviderException {
    String nonce = claims.text("nonce");
    if (nonce == null
        || !MessageDigest.isEqual(
            nonce.getBytes(StandardCharsets.UTF_8),
            exchange.nonce().getBytes(StandardCharsets.UTF_8))) {
      throw new ProviderException("the id_token is not for this login (nonce)");
    }
    String party = claims.text("azp");
    boolean several = claims.texts("aud").size() > 1;
    if (party == null ? several : !party.equals(settings.clientId())) {
      throw new ProviderException("the id_token is for another client (azp)");
    }
    String name = claims.text(settings.nameClaim());
    String shown = name == null ? claims.text("sub") : name;
    if (shown == null || shown.isBlank()) {
      throw new ProviderException("the id_token names nobody");
    }
    return new Person(printable(shown), claims.within(settings.claim()).texts(last()));
  }

  private String last() {
    return settings.claim().substring(settings.claim().lastIndexOf('.') + 1);
  }

  /// A name of one line, for the log and the record of changes.
  private static String printable(String name) {
    StringBuilder printable = new StringBuilder();
    name.codePoints()
        .limit(MOST_NAME)
        .forEach(each -> {
          boolean plain =
              switch (Character.getType(each)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
                default -> true;
              };
          printable.appendCodePoint(plain ? each : '?');
        });
    return printable.toString();
  }

  @Override
  public void close() {
    verifier.close(); // and with its keys the client
  }
}
