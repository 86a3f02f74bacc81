package im.zonda.testkit.issuer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An issuer of tokens on this machine, as OpenID Connect has it: its description, its keys, and
/// the flow by authorization code with PKCE. Everyone who comes is `person`, at once.
///
/// Any thread may call; what a test changes is seen by the next request.
public final class TestIssuer implements AutoCloseable {
  /// An answer in place of the usual one.
  public record Answer(int status, String body) {}

  /// The keys that are published, the first of which signs.
  public final List<SigningKey> keys = new CopyOnWriteArrayList<>();

  /// Answers in place of the usual ones, by path.
  public final ConcurrentMap<String, Answer> answers = new ConcurrentHashMap<>();

  /// The number of requests by path.
  public final ConcurrentMap<String, Integer> requests = new ConcurrentHashMap<>();

  /// The claims of id tokens about the person; a claim here replaces the usual one, and one that is
  /// empty removes it.
  public final ConcurrentMap<String, Object> person = new ConcurrentHashMap<>();

  /// The time of tokens.
  public volatile InstantSource clock = InstantSource.system();

  /// The codes that were given and not used, with the parameters of their requests.
  private final ConcurrentMap<String, Map<String, String>> codes = new ConcurrentHashMap<>();

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /// An issuer at any free port, with one key.
  public TestIssuer() {
    this(0);
  }

  /// An issuer at a port, with one key.
  public TestIssuer(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    keys.add(SigningKey.create("first", "ES256"));
    server.createContext("/", this::handle);
    server.setExecutor(executor);
    server.start();
  }

  /// Its name.
  public String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The claims of a token for an audience that is valid for 5 minutes.
  public Map<String, Object> claims(String audience, String user, Instant now) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", issuer());
    claims.put("aud", audience);
    claims.put("sub", "id of " + user);
    claims.put("preferred_username", user);
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.getEpochSecond() + 300);
    return claims;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int _ = requests.merge(path, 1, Integer::sum);
    Answer other = answers.get(path);
    if (other != null) {
      send(exchange, other.status(), other.body());
      return;
    }
    switch (path) {
      case "/.well-known/openid-configuration" -> send(exchange, 200, JsonText.of(description()));
      case "/keys" ->
          send(
              exchange,
              200,
              JsonText.of(Map.of("keys", keys.stream().map(SigningKey::jwk).toList())));
      case "/authorize" -> authorize(exchange);
      case "/token" -> token(exchange);
      default -> send(exchange, 404, "{}");
    }
  }

  private Map<String, Object> description() {
    return Map.of(
        "issuer", issuer(),
        "jwks_uri", issuer() + "/keys",
        "authorization_endpoint", issuer() + "/authorize",
        "token_endpoint", issuer() + "/token",
        "code_challenge_methods_supported", List.of("S256"));
  }

  private void authorize(HttpExchange exchange) throws IOException {
    Map<String, String> asked = parameters(exchange.getRequestURI().getRawQuery());
    String code = "code-" + requests.get("/authorize");
    codes.put(code, asked);
    exchange
        .getResponseHeaders()
        .set(
            "Location",
            asked.get("redirect_uri")
                + "?code="
                + code
                + "&state="
                + URLEncoder.encode(asked.getOrDefault("state", ""), StandardCharsets.UTF_8));
    send(exchange, 302, "");
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> asked =
        parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Map<String, String> given = codes.remove(asked.getOrDefault("code", ""));
    if (given == null
        || !given.getOrDefault("redirect_uri", "").equals(asked.get("redirect_uri"))
        || !given
            .getOrDefault("code_challenge", "")
            .equals(challenge(asked.getOrDefault("code_verifier", "")))) {
      send(exchange, 400, "{\"error\":\"invalid_grant\"}");
      return;
    }
    Map<String, Object> claims =
        claims(given.getOrDefault("client_id", ""), "alice", clock.instant());
    claims.put("nonce", given.getOrDefault("nonce", ""));
    claims.putAll(person);
    claims.values().removeIf(""::equals);
    send(
        exchange,
        200,
        JsonText.of(
            Map.of(
                "access_token", "opaque",
                "token_type", "Bearer",
                "id_token", keys.getFirst().token(claims))));
  }

  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> parameters(String text) {
    Map<String, String> parameters = new HashMap<>();
    for (String each : text.split("&", -1)) {
      int equals = each.indexOf('=');
      parameters.put(
          each.substring(0, equals),
          URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return parameters;
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /// Stops answering: connections are refused.
  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
