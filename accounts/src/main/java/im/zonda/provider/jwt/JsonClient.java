package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import im.zonda.provider.trust.ServiceTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Asks an issuer for JSON by HTTPS. Answers have limits of size and time; redirects are not
/// followed. Calls block and can be interrupted; any thread may call.
public final class JsonClient implements AutoCloseable {
  private static final int MOST_BYTES = 256 * 1024;
  private static final Duration CONNECT_TIME = Duration.ofSeconds(2);
  private static final int OK = 200;

  private final HttpClient client;
  private final Duration time;

  /// @param authorities a PEM file with those that are trusted, or null for those of Java
  /// @param time the most time that one answer takes, with its body
  /// @throws ProviderException if the file cannot be used
  public JsonClient(@Nullable Path authorities, Duration time) throws ProviderException {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIME)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (authorities != null) {
      builder.sslContext(trusting(authorities));
    }
    this.client = builder.build();
    this.time = time;
  }

  private static SSLContext trusting(Path file) throws ProviderException {
    try {
      return ServiceTls.trusting(file);
    } catch (IOException e) {
      throw new ProviderException("the authorities in " + file + " cannot be read", e);
    }
  }

  /// Whether a URL may be asked: HTTPS, or HTTP of this machine.
  public static boolean isAllowed(URI url) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    String host = url.getHost();
    if (host == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
      return false;
    }
    return scheme.equals("https") || (scheme.equals("http") && isLoopback(host));
  }

  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replace("[", "").replace("]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Gets a JSON object.
  ///
  /// @throws ProviderException if there is no answer, or another one
  public Map<String, Object> get(URI url) throws ProviderException, InterruptedException {
    return send(url, request(url).GET().build());
  }

  /// Posts a form and gets a JSON object.
  ///
  /// @param form `application/x-www-form-urlencoded`
  /// @param authorization the header of that name, or null
  /// @throws ProviderException if there is no answer, or another one
  public Map<String, Object> post(URI url, String form, @Nullable String authorization)
      throws ProviderException, InterruptedException {
    HttpRequest.Builder request =
        request(url)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form, StandardCharsets.UTF_8));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return send(url, request.build());
  }

  private static HttpRequest.Builder request(URI url) throws ProviderException {
    if (!isAllowed(url)) {
      throw new ProviderException(
          place(url) + " is neither https:// nor http:// of this machine, and is not asked");
    }
    return HttpRequest.newBuilder(url).header("Accept", "application/json");
  }

  private Map<String, Object> send(URI url, HttpRequest request)
      throws ProviderException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
    try {
      HttpResponse<byte[]> response = answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != OK) {
        throw new ProviderException(
            place(url) + " has answered with the status " + response.statusCode());
      }
      return object(url, response.body());
    } catch (TimeoutException e) {
      throw new ProviderException(
          place(url) + " has not answered within " + time.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new ProviderException(place(url) + " cannot be asked: " + cause(e), e);
    } finally {
      boolean _ = answer.cancel(true); // ends the exchange if it goes on
    }
  }

  private static String cause(ExecutionException failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String text = cause.getMessage();
    return text == null ? cause.getClass().getSimpleName() : text;
  }

  private static Map<String, Object> object(URI url, byte[] body) throws ProviderException {
    try {
      return JsonObjects.parse(body);
    } catch (ParseException e) {
      // The cause would quote the answer, which may have a token in it.
      throw new ProviderException(place(url) + " has not answered with a JSON object");
    }
  }

  /// A URL for people, without what may be secret in it.
  static String place(URI url) {
    return url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
