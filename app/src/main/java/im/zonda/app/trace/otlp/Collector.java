package im.zonda.app.trace.otlp;

import im.zonda.config.monitoring.Traces;
import im.zonda.json.JsonReader;
import im.zonda.runtime.ServerRuntime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A collector that takes spans (OTLP 1.x, OTLP/HTTP with JSON). Calls block.
final class Collector implements AutoCloseable {
  /// The longest time to an answer.
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /// The most bytes of an answer that are read.
  static final int MOST_BYTES = 256 << 10;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int MOST_TEXT = 300;
  private static final int OK = 200;
  private static final int NO_SUCCESS = 300;
  private static final Set<Integer> TEMPORARY = Set.of(429, 502, 503, 504);

  private final Traces.Otlp settings;
  private final URI url;
  private final ServerRuntime runtime;
  private final HttpClient http;

  /// What has become of a request.
  sealed interface Answer {
    /// The collector has the spans, but for those that it refuses for a reason.
    record Taken(long rejected, String reason) implements Answer {}

    /// To be sent again.
    ///
    /// @param after when the collector wants to be asked again; null if it has not said that
    record Later(String reason, @Nullable Duration after) implements Answer {}

    /// Not to be sent again.
    record Refused(String reason) implements Answer {}
  }

  /// @param settings with a URL
  Collector(Traces.Otlp settings, ServerRuntime runtime) {
    this.settings = settings;
    this.url = URI.create(Objects.requireNonNull(settings.url()));
    this.runtime = runtime;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(runtime.workers())
            .build();
  }

  /// Sends a request.
  ///
  /// @param patience the longest time to the end of the answer
  Answer send(String body, Duration patience) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("User-Agent", "zonda")
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    settings.headers().forEach(request::setHeader);
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(
            request.build(),
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofByteArray(), MOST_BYTES));
    try {
      return read(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return new Answer.Later("no answer within " + patience.toMillis() + " ms", null);
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private static Answer failed(@Nullable Throwable cause) {
    String text = String.valueOf(cause == null ? null : cause.getMessage());
    if (text.contains("exceeds the limit") || text.contains("body exceeds")) {
      return new Answer.Refused("an answer of more than " + MOST_BYTES + " bytes");
    }
    String name = cause instanceof IOException ? cause.getClass().getSimpleName() : "failure";
    return new Answer.Later(text.equals("null") ? name : name + ": " + cut(text), null);
  }

  private Answer read(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    if (TEMPORARY.contains(status)) {
      String after = answer.headers().firstValue("Retry-After").orElse(null);
      return new Answer.Later("status " + status, after == null ? null : time(after));
    }
    if (status < OK || status >= NO_SUCCESS) {
      return new Answer.Refused("status " + status);
    }
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    if (text.isBlank()) {
      return new Answer.Taken(0, "");
    }
    try {
      return taken(JsonReader.object(text));
    } catch (IllegalArgumentException e) {
      return new Answer.Refused("status " + status + " without an answer of a collector");
    }
  }

  private static Answer taken(Map<String, @Nullable Object> body) {
    if (!(body.get("partialSuccess") instanceof Map<?, ?> partial)) {
      return new Answer.Taken(0, "");
    }
    Object rejected = partial.get("rejectedSpans");
    long count = rejected == null ? 0 : Long.parseLong(rejected.toString());
    Object reason = partial.get("errorMessage");
    return new Answer.Taken(Math.max(0, count), reason == null ? "" : cut(reason.toString()));
  }

  private static String cut(String text) {
    return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
  }

  /// Seconds or a date (RFC 9110, section 10.2.3); null if it is neither.
  private @Nullable Duration time(String after) {
    try {
      if (after.matches("\\d{1,9}")) {
        return Duration.ofSeconds(Long.parseLong(after));
      }
      Instant date = ZonedDateTime.parse(after, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration until = Duration.between(runtime.clock().instant(), date);
      return until.isNegative() ? Duration.ZERO : until;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /// Ends requests that have no answer.
  @Override
  public void close() {
    http.shutdownNow();
  }
}
