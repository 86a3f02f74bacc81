package im.zonda.acme;

import im.zonda.json.JsonReader;
import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Signed requests to an authority (RFC 8555, section 6). Blocks; for one thread.
final class AcmeServer {
  private static final int MAX_BYTES = 262_144;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int NONCE_ATTEMPTS = 3;
  private static final String NONCE = "Replay-Nonce";
  private static final String PROBLEM = "urn:ietf:params:acme:error:";

  private final HttpClient http;
  private final AccountKey key;
  private final InstantSource clock;
  private final URI directory;
  private Map<String, @Nullable Object> addresses = Map.of();
  private @Nullable String nonce;
  private @Nullable String account;

  /// An answer.
  ///
  /// @param body the text
  /// @param location the address of what was created, or null
  /// @param retryAfter when to ask again, or null
  record Answer(String body, @Nullable String location, @Nullable Duration retryAfter) {
    Map<String, @Nullable Object> json() throws AcmeException {
      try {
        return JsonReader.object(body);
      } catch (IllegalArgumentException e) {
        throw new AcmeException("the authority has not answered with JSON");
      }
    }
  }

  AcmeServer(URI directory, HttpClient http, AccountKey key, InstantSource clock) {
    this.directory = directory;
    this.http = http;
    this.key = key;
    this.clock = clock;
  }

  /// Reads the addresses.
  void open() throws IOException, InterruptedException {
    addresses = answer(send(HttpRequest.newBuilder(directory).GET())).json();
  }

  /// An address of the directory.
  String address(String name) throws AcmeException {
    return text(addresses, name);
  }

  /// A member that must be a text.
  static String text(Map<String, @Nullable Object> object, String name) throws AcmeException {
    if (object.get(name) instanceof String text) {
      return text;
    }
    throw new AcmeException("the authority's answer has no " + name);
  }

  /// Uses an account from now on.
  void signAs(@Nullable String location) throws AcmeException {
    if (location == null) {
      throw new AcmeException("the authority has not named the account");
    }
    account = location;
  }

  /// Reads what is at an address (RFC 8555, section 6.3).
  Answer read(String address) throws IOException, InterruptedException {
    return post(address, "");
  }

  /// Sends a signed request. A nonce that has become old is replaced.
  Answer post(String address, String payload) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return postOnce(address, payload);
      } catch (AcmeException e) {
        if (attempt == NONCE_ATTEMPTS || !e.type().equals("badNonce")) {
          throw e;
        }
      }
    }
  }

  private Answer postOnce(String address, String payload) throws IOException, InterruptedException {
    URI uri = check(address);
    String signer = account == null ? "\"jwk\":" + key.jwk() : "\"kid\":" + quote(account);
    String header =
        "{\"alg\":\"ES256\",\"nonce\":"
            + quote(takeNonce())
            + ",\"url\":"
            + quote(address)
            + ","
            + signer
            + "}";
    return answer(
        send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/jose+json")
                .POST(HttpRequest.BodyPublishers.ofString(key.sign(header, payload)))));
  }

  private String takeNonce() throws IOException, InterruptedException {
    String known = nonce;
    if (known == null) {
      send(HttpRequest.newBuilder(check(address("newNonce"))).method("HEAD", noBody()));
      known = nonce;
    }
    nonce = null;
    if (known == null) {
      throw new AcmeException("the authority gives no nonces");
    }
    return known;
  }

  private static HttpRequest.BodyPublisher noBody() {
    return HttpRequest.BodyPublishers.noBody();
  }

  /// What the authority names must be as secure as its directory.
  private URI check(String address) throws AcmeException {
    try {
      URI uri = URI.create(address);
      if (uri.getScheme() != null && uri.getScheme().equals(directory.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new AcmeException("the authority has named " + address + ", which is no URL");
    }
    throw new AcmeException("the authority has named " + address + ", which is of another scheme");
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder prepared)
      throws IOException, InterruptedException {
    HttpRequest request = prepared.timeout(TIMEOUT).header("User-Agent", "zonda").build();
    HttpResponse<InputStream> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new IOException(
          "the authority at "
              + request.uri().getAuthority()
              + " cannot be reached: "
              + FailureText.of(e),
          e);
    }
    response.headers().firstValue(NONCE).ifPresent(value -> nonce = value);
    return response;
  }

  private Answer answer(HttpResponse<InputStream> response) throws IOException {
    byte[] bytes;
    try (InputStream in = response.body()) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw new AcmeException("the authority's answer is too large");
    }
    Answer answer =
        new Answer(
            new String(bytes, StandardCharsets.UTF_8),
            response.headers().firstValue("Location").orElse(null),
            response.headers().firstValue("Retry-After").map(this::delay).orElse(null));
    if (response.statusCode() / 100 != 2) {
      throw problem(response.uri(), response.statusCode(), answer);
    }
    return answer;
  }

  private static AcmeException problem(URI address, int status, Answer answer) {
    try {
      return problem(JsonReader.object(answer.body()), answer.retryAfter());
    } catch (IllegalArgumentException e) {
      return new AcmeException(
          "",
          "the authority has answered "
              + address
              + " with HTTP status "
              + status
              + " and without a reason",
          answer.retryAfter());
    }
  }

  /// A problem document (RFC 7807) as an exception.
  static AcmeException problem(
      Map<String, @Nullable Object> document, @Nullable Duration retryAfter) {
    String type = String.valueOf(document.get("type"));
    String word = type.startsWith(PROBLEM) ? type.substring(PROBLEM.length()) : type;
    return new AcmeException(word, word + ": " + document.get("detail"), retryAfter);
  }

  private @Nullable Duration delay(String text) {
    try {
      return text.chars().allMatch(Character::isDigit)
          ? Duration.ofSeconds(Long.parseLong(text))
          : Duration.between(
              clock.instant(),
              ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException | NumberFormatException e) {
      return null;
    }
  }

  /// A text as JSON; only for URLs, nonces, domains and base64.
  static String quote(String text) throws AcmeException {
    if (text.chars().anyMatch(c -> c < ' ' || c > '~' || c == '"' || c == '\\')) {
      throw new AcmeException("characters that do not belong into a URL");
    }
    return "\"" + text + "\"";
  }
}
