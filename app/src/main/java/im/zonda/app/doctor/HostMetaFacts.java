package im.zonda.app.doctor;

import im.zonda.runtime.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The file `/.well-known/host-meta.json` of a domain (XEP-0156), as the web has it.
///
/// @param text the beginning of the answer; null if there is none
/// @param failure why there is none; null if there is one
record HostMetaFacts(String host, @Nullable String text, @Nullable String failure) {
  private static final Duration TIME = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 65_536;

  /// Fetches it.
  @FunctionalInterface
  interface Source {
    /// The file of a host.
    ///
    /// @param host as A-labels
    HostMetaFacts find(String host);
  }

  /// The address of it.
  static String url(String host) {
    return "https://" + host + "/.well-known/host-meta.json";
  }

  /// Fetches it by HTTPS. Blocks for some seconds at most.
  static HostMetaFacts fetch(String host) {
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(TIME)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url(host))).timeout(TIME).build();
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        String text = new String(body.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        return response.statusCode() == 200
            ? new HostMetaFacts(host, text, null)
            : new HostMetaFacts(host, null, "HTTP status " + response.statusCode());
      } finally {
        client.shutdownNow();
      }
    } catch (IOException e) {
      return new HostMetaFacts(host, null, FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new HostMetaFacts(host, null, "the server stops");
    }
  }
}
