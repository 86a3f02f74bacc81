package im.zonda.plugins.webhooks;

import im.zonda.plugins.webhooks.Answer.Accepted;
import im.zonda.plugins.webhooks.Answer.Failed;
import im.zonda.plugins.webhooks.Answer.Rejected;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Posts batches to a target. Redirects are not followed, and no proxy is used.
final class Receiver implements AutoCloseable {
  /// The longest time for which a target may ask to be left alone.
  static final Duration MOST_AFTER = Duration.ofHours(1);

  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final Target target;
  private final String agent;
  private final InstantSource clock;
  private final ExecutorService threads;
  private final HttpClient client;

  /// @throws IOException if the authorities cannot be used
  Receiver(Target target, String version, InstantSource clock) throws IOException {
    this.target = target;
    this.agent = "Zonda-Webhooks/" + version;
    this.clock = clock;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT);
    if (!target.authorities().isEmpty()) {
      builder.sslContext(trusting(target.authorities()));
    }
    threads = Executors.newVirtualThreadPerTaskExecutor();
    client = builder.executor(threads).build();
  }

  private static SSLContext trusting(List<X509Certificate> authorities) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (X509Certificate each : authorities) {
        store.setCertificateEntry("authority-" + store.size(), each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the authorities cannot be used", e);
    }
  }

  /// Posts a body, signed with the time of now, and waits for the answer. When the thread is
  /// interrupted, the request is given up.
  Answer post(byte[] body) throws InterruptedException {
    URI address;
    try {
      address = address(target.url());
    } catch (IOException e) {
      return new Failed(e.getMessage() + ".", null);
    }
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .header("User-Agent", agent)
            .header(Signature.HEADER, Signature.of(target.secret(), clock.instant(), body))
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    AtomicReference<HttpResponse.ResponseInfo> begun = new AtomicReference<>();
    CompletableFuture<HttpResponse<Boolean>> answer =
        client.sendAsync(
            request,
            head -> {
              begun.set(head);
              return new ShortBody();
            });
    try {
      HttpResponse<Boolean> response =
          answer.get(target.pace().limit().toNanos(), TimeUnit.NANOSECONDS);
      return of(response.statusCode(), response.headers());
    } catch (TimeoutException e) {
      HttpResponse.ResponseInfo head = begun.get();
      return head != null
          ? of(head.statusCode(), head.headers())
          : new Failed("The target has not answered in time.", null);
    } catch (ExecutionException | CancellationException e) {
      HttpResponse.ResponseInfo head = begun.get();
      return head != null
          ? of(head.statusCode(), head.headers())
          : new Failed(reason(e.getCause()), null);
    } finally {
      answer.cancel(true); // without effect on what has ended
    }
  }

  /// The address that is asked. Without TLS it is on this machine, by the address that its name has
  /// at present.
  ///
  /// @throws IOException with the reason, without a full stop, if it is not
  static URI address(URI url) throws IOException {
    if (url.getScheme().equals("https")) {
      return url;
    }
    String host = url.getHost().replace("[", "").replace("]", "");
    InetAddress found;
    try {
      found = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("The name " + host + " has no address", e);
    }
    if (!found.isLoopbackAddress()) {
      throw new IOException(
          "http:// is for services on this machine only, and "
              + host
              + " is "
              + found.getHostAddress()
              + ": use https://");
    }
    String literal = found.getHostAddress();
    int port = url.getPort() < 0 ? 80 : url.getPort();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return URI.create(
        "http://"
            + (literal.contains(":") ? "[" + literal + "]" : literal)
            + ":"
            + port
            + url.getRawPath()
            + query);
  }

  private Answer of(int status, HttpHeaders headers) {
    if (status >= 200 && status < 300) {
      return new Accepted(status);
    }
    if (status >= 400 && status < 500 && status != 408 && status != 429) {
      return new Rejected(status);
    }
    String text =
        status >= 300 && status < 400
            ? "The target answers with a redirect (status " + status + "): change its address."
            : "The target has failed (status " + status + ").";
    return new Failed(text, after(headers.firstValue("Retry-After").orElse(null)));
  }

  /// What `Retry-After` asks for (RFC 9110, section 10.2.3), at most [#MOST_AFTER].
  private @Nullable Duration after(@Nullable String value) {
    if (value == null) {
      return null;
    }
    Duration asked;
    if (value.matches("[0-9]{1,9}")) {
      asked = Duration.ofSeconds(Long.parseLong(value));
    } else {
      try {
        Instant time = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        asked = Duration.between(clock.instant(), time);
      } catch (DateTimeParseException e) {
        return null;
      }
    }
    return asked.isNegative() ? null : asked.compareTo(MOST_AFTER) > 0 ? MOST_AFTER : asked;
  }

  /// The failure in words. Messages of the client are not used: they may have the address, with a
  /// token in it.
  private static String reason(@Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      switch (each) {
        case SSLException tls -> {
          return "TLS with the target failed: " + tls.getMessage() + ".";
        }
        case HttpConnectTimeoutException _ -> {
          return "The target cannot be reached in time.";
        }
        case ConnectException _ -> {
          return "The target cannot be reached.";
        }
        default -> {}
      }
    }
    return "The target has closed the connection, or what it answers is not HTTP.";
  }

  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
