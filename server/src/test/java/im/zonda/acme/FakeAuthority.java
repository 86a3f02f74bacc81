package im.zonda.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import im.zonda.json.JsonReader;
import im.zonda.net.tls.TestAuthority;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A certificate authority on this machine that checks what a real one checks: nonces, signatures,
/// URLs, the control of each domain, and the request for the certificate.
final class FakeAuthority implements AutoCloseable {
  /// Looks for the proof of a domain as a stranger would.
  interface Check {
    /// Whether the domain shows that key authorization.
    boolean holds(String domain, String token, String authorization) throws Exception;
  }

  private record Order(List<String> names) {}

  final List<String> requests = new ArrayList<>();
  final Duration validity = Duration.ofDays(90);

  /// How many valid nonces are rejected, as by an authority under load.
  int badNonces;

  /// A problem that is the answer to new orders, or null.
  @Nullable String refusal;

  /// Whether it answers as a broken proxy does.
  boolean broken;

  private final HttpServer server;
  private final TestAuthority issuer = new TestAuthority();
  private final String type;
  private final Check check;
  private final InstantSource clock;
  private final Set<String> nonces = new HashSet<>();
  private final Map<String, String> accounts = new HashMap<>();
  private final List<Order> orders = new ArrayList<>();
  private final Map<String, String> states = new HashMap<>();
  private String certificate = "";
  private int last;

  /// @param type the type of its challenges
  FakeAuthority(String type, Check check, InstantSource clock) throws IOException {
    this.type = type;
    this.check = check;
    this.clock = clock;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  URI directory() {
    return URI.create(url("/directory"));
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(exchange.getRequestMethod() + " " + path);
    String nonce = "nonce" + ++last;
    nonces.add(nonce);
    exchange.getResponseHeaders().add("Replay-Nonce", nonce);
    try {
      if (broken) {
        send(exchange, 502, "<html>Bad Gateway</html>");
      } else if (path.equals("/directory")) {
        send(
            exchange,
            200,
            "{\"newNonce\":\""
                + url("/nonce")
                + "\", \"newAccount\":\""
                + url("/account")
                + "\",\"newOrder\":\""
                + url("/order")
                + "\",\"meta\":{\"x\":[1,true,null]}}");
      } else if (path.equals("/nonce")) {
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
      } else {
        signed(exchange, path);
      }
    } catch (Exception e) {
      send(
          exchange,
          400,
          "{\"type\":\"urn:ietf:params:acme:error:" + e.getMessage() + "\",\"detail\":\"no\"}");
    }
  }

  private void signed(HttpExchange exchange, String path) throws Exception {
    Map<String, @Nullable Object> jws =
        JsonReader.object(
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Map<String, @Nullable Object> header = JsonReader.object(decode(jws.get("protected")));
    String payload = decode(jws.get("payload"));
    if (!nonces.remove(String.valueOf(header.get("nonce"))) || badNonces-- > 0) {
      throw new IllegalStateException("badNonce");
    }
    String jwk =
        header.get("jwk") instanceof Map<?, ?> key
            ? "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\""
                + key.get("x")
                + "\",\"y\":\""
                + key.get("y")
                + "\"}"
            : accounts.get(String.valueOf(header.get("kid")));
    if (jwk == null || !url(path).equals(header.get("url")) || !verify(jws, jwk)) {
      throw new IllegalStateException("malformed");
    }
    String[] parts = path.substring(1).split("/");
    switch (parts[0]) {
      case "account" -> account(exchange, payload, jwk);
      case "order" -> order(exchange, parts, payload);
      case "authorization" -> send(exchange, 200, authorization(parts[1]));
      case "challenge" -> {
        challenge(parts[1], jwk);
        send(exchange, 200, "{\"status\":\"processing\"}");
      }
      case "finalize" -> finish(exchange, Integer.parseInt(parts[1]), payload);
      case "certificate" -> send(exchange, 200, certificate);
      default -> throw new IllegalStateException("malformed");
    }
  }

  private void account(HttpExchange exchange, String payload, String jwk) throws IOException {
    if (!payload.contains("\"termsOfServiceAgreed\":true")) {
      throw new IllegalStateException("userActionRequired");
    }
    accounts.put(url("/account/1"), jwk);
    exchange.getResponseHeaders().add("Location", url("/account/1"));
    send(exchange, 201, "{\"status\":\"valid\"}");
  }

  private void order(HttpExchange exchange, String[] parts, String payload) throws IOException {
    if (parts.length == 1) {
      if (refusal != null) {
        exchange.getResponseHeaders().add("Retry-After", "7200");
        throw new IllegalStateException(refusal);
      }
      List<String> names = new ArrayList<>();
      if (JsonReader.object(payload).get("identifiers") instanceof List<?> identifiers) {
        identifiers.forEach(each -> names.add(String.valueOf(((Map<?, ?>) each).get("value"))));
      }
      names.forEach(name -> states.put(name, "pending"));
      orders.add(new Order(names));
      exchange.getResponseHeaders().add("Location", url("/order/" + (orders.size() - 1)));
      send(exchange, 201, orderText(orders.size() - 1));
    } else {
      send(exchange, 200, orderText(Integer.parseInt(parts[1])));
    }
  }

  private String orderText(int number) {
    List<String> names = orders.get(number).names();
    boolean ready = names.stream().allMatch(name -> "valid".equals(states.get(name)));
    boolean invalid = names.stream().anyMatch(name -> "invalid".equals(states.get(name)));
    String status =
        invalid ? "invalid" : !ready ? "pending" : certificate.isEmpty() ? "ready" : "valid";
    StringBuilder authorizations = new StringBuilder();
    for (String name : names) {
      authorizations
          .append(authorizations.isEmpty() ? "\"" : ",\"")
          .append(url("/authorization/" + name))
          .append("\"");
    }
    return "{\"status\":\""
        + status
        + "\",\"authorizations\":["
        + authorizations
        + "],\"finalize\":\""
        + url("/finalize/" + number)
        + "\",\"certificate\":\""
        + url("/certificate")
        + "\"}";
  }

  private String authorization(String name) {
    String status = states.get(name);
    String error =
        "invalid".equals(status)
            ? ",\"error\":{\"type\":\"urn:ietf:params:acme:error:unauthorized\","
                + "\"detail\":\"no proof at "
                + name
                + "\"}"
            : "";
    return "{\"status\":\""
        + status
        + "\",\"identifier\":{\"type\":\"dns\",\"value\":\""
        + name
        + "\"},\"challenges\":[{\"type\":\"dns-01\",\"url\":\"x\",\"token\":\"y\"},{\"type\":\""
        + type
        + "\",\"token\":\"token-of_"
        + name.replace('.', '-')
        + "\",\"url\":\""
        + url("/challenge/" + name)
        + "\""
        + error
        + "}]}";
  }

  private void challenge(String name, String jwk) throws Exception {
    String token = "token-of_" + name.replace('.', '-');
    String thumbprint =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(jwk.getBytes(StandardCharsets.US_ASCII)));
    boolean holds = check.holds(name, token, token + "." + thumbprint);
    states.put(name, holds ? "valid" : "invalid");
  }

  private void finish(HttpExchange exchange, int number, String payload) throws Exception {
    byte[] csr =
        Base64.getUrlDecoder().decode(String.valueOf(JsonReader.object(payload).get("csr")));
    TestAuthority.Request request = TestAuthority.read(csr);
    boolean proved =
        request.names().stream().allMatch(name -> "valid".equals(states.get(name)))
            && request.names().equals(orders.get(number).names());
    if (!proved) {
      throw new IllegalStateException("badCSR");
    }
    certificate =
        issuer.issue(request, clock.instant().minusSeconds(1), clock.instant().plus(validity));
    send(exchange, 200, orderText(number));
  }

  /// Forgets the certificate and the proofs, for the next order.
  synchronized void forget() {
    certificate = "";
    states.clear();
  }

  private static boolean verify(Map<String, @Nullable Object> jws, String jwk)
      throws GeneralSecurityException {
    Map<String, @Nullable Object> key = JsonReader.object(jwk);
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    ECPoint point = new ECPoint(number(key.get("x")), number(key.get("y")));
    PublicKey verifying =
        KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curveSpec(curve)));
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(verifying);
    signature.update(
        (jws.get("protected") + "." + jws.get("payload")).getBytes(StandardCharsets.US_ASCII));
    return signature.verify(Base64.getUrlDecoder().decode(String.valueOf(jws.get("signature"))));
  }

  private static ECParameterSpec curveSpec(AlgorithmParameters curve)
      throws GeneralSecurityException {
    try {
      return curve.getParameterSpec(ECParameterSpec.class);
    } catch (java.security.spec.InvalidParameterSpecException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static BigInteger number(@Nullable Object text) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(String.valueOf(text)));
  }

  private static String decode(@Nullable Object text) {
    return new String(Base64.getUrlDecoder().decode(String.valueOf(text)), StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
