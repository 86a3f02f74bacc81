package im.zonda.provider.http;

import im.zonda.account.provider.ProviderException;
import im.zonda.config.accounts.HttpAccounts;
import im.zonda.provider.trust.ServiceTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Requests to a service. Redirects are not followed; a request whose connection failed is sent
/// once more. Nothing of a request or an answer is in an exception.
final class HttpService implements AutoCloseable {
  /// The most time for a connection.
  static final Duration CONNECT = Duration.ofSeconds(2);

  private final ServiceAddress address;
  private final SSLContext tls;
  private final HttpClient client;

  /// @throws ProviderException if the authorities cannot be read
  HttpService(HttpAccounts settings) throws ProviderException {
    address = ServiceAddress.of(settings.url());
    try {
      tls = ServiceTls.trusting(settings.authorities());
    } catch (IOException e) {
      throw new ProviderException(settings.authorities() + " cannot be read", e);
    }
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT)
            .sslContext(tls)
            .build();
  }

  ServiceAddress address() {
    return address;
  }

  SSLContext tls() {
    return tls;
  }

  /// The connection failed, and nothing was answered.
  private static final class ConnectionException extends IOException {
    private static final long serialVersionUID = 1;

    ConnectionException(String reason) {
      super(reason);
    }
  }

  /// Sends a request and reads the answer.
  ///
  /// @throws ProviderException if there is none, or it is too long
  HttpResponse<byte[]> send(Request request) throws ProviderException, InterruptedException {
    long deadline = System.nanoTime() + request.limit().toNanos();
    List<URI> addresses = address.resource(request.rest());
    try {
      return send(request, addresses.getFirst(), deadline);
    } catch (ConnectionException first) {
      try {
        return send(request, addresses.get(1 % addresses.size()), deadline);
      } catch (ConnectionException second) {
        throw new ProviderException(String.valueOf(second.getMessage()));
      }
    }
  }

  private HttpResponse<byte[]> send(Request request, URI uri, long deadline)
      throws ConnectionException, ProviderException, InterruptedException {
    AtomicBoolean hasBegun = new AtomicBoolean();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            of(request, uri),
            _ -> {
              hasBegun.set(true);
              return new LimitedBody(request.mostBytes());
            });
    try {
      return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ProviderException("the service has not answered in time");
    } catch (ExecutionException e) {
      throw failure(e.getCause(), hasBegun.get(), request.mostBytes());
    } finally {
      answer.cancel(true); // without effect on what has ended
    }
  }

  private static HttpRequest of(Request request, URI uri) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(uri);
    request.headers().forEach(builder::header);
    byte[] body = request.body();
    return body == null
        ? builder.GET().build()
        : builder.POST(BodyPublishers.ofByteArray(body)).build();
  }

  /// The failure in words. Messages of the client are not used: they may have the address, with a
  /// password in it.
  private static ProviderException failure(
      @Nullable Throwable reason, boolean hasBegun, int mostBytes) throws ConnectionException {
    for (Throwable each = reason; each != null; each = each.getCause()) {
      switch (each) {
        case LimitedBody.TooLongException _ -> {
          return new ProviderException("the answer has more than " + mostBytes + " bytes");
        }
        case SSLException tls -> {
          return new ProviderException("TLS with the service failed: " + tls.getMessage());
        }
        case HttpConnectTimeoutException _ ->
            throw new ConnectionException("the service cannot be reached in time");
        case ConnectException _ -> throw new ConnectionException("the service cannot be reached");
        default -> {}
      }
    }
    if (hasBegun) {
      return new ProviderException("the answer has not ended");
    }
    throw new ConnectionException("the service has closed the connection without an answer");
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
