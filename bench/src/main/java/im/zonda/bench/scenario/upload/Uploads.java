package im.zonda.bench.scenario.upload;

import im.zonda.bench.load.Counters;
import im.zonda.bench.load.Latencies;
import im.zonda.bench.load.Load;
import im.zonda.bench.load.LoginRamp;
import im.zonda.bench.xmpp.ClientLoop;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/// The users of this process, and their files.
final class Uploads implements AutoCloseable {
  /// From the request for a slot to the answer.
  static final String SLOT = "slot";

  /// From when an upload was due to the answer to its PUT. The counter of uploads has the same
  /// name.
  static final String PUT = "put";

  /// From the request for a file to its last byte.
  static final String GET = "get";

  private static final double NANOS = 1e9;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CREATED = 201;
  private static final int OK = 200;

  private final Load load;
  private final Map<Integer, XmppClient> clients;
  private final HttpClient http =
      HttpClient.newBuilder()
          .sslContext(AnyCertificate.context())
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(LIMIT)
          .build();
  private final byte[] file;
  private final List<CompletableFuture<Void>> schedules = new ArrayList<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean ended;

  /// Logs all in.
  Uploads(Load load) throws IOException, InterruptedException {
    this.load = load;
    file = new byte[load.options().whole("size")];
    new SplittableRandom(load.options().whole("seed")).nextBytes(file);
    clients =
        LoginRamp.of(load)
            .login(
                load.options().whole("users"),
                number -> LoginRamp.user(load, number),
                _ -> ElementListener.NONE);
  }

  /// Uploads at the rate from a time on.
  void begin(long begin) {
    double rate = load.options().number("rate");
    int users = load.options().whole("users");
    for (ClientLoop loop : load.loops().all()) {
      schedules.add(
          loop.pace(
              LongStream.iterate(0, i -> i + 1)
                  .filter(i -> isOf(loop, (int) (i % users)))
                  .map(i -> begin + (long) (i * NANOS / rate))
                  .takeWhile(_ -> !ended && isNeeded(loop))
                  .iterator(),
              due -> upload((int) (Math.round((due - begin) * rate / NANOS) % users), due)));
    }
  }

  private boolean isOf(ClientLoop loop, int user) {
    return ended || !isNeeded(loop) || (load.isMine(user) && load.loops().of(user) == loop);
  }

  private boolean isNeeded(ClientLoop loop) {
    return clients.keySet().stream().anyMatch(user -> load.loops().of(user) == loop);
  }

  private void upload(int user, long due) {
    XmppClient client = clients.get(user);
    if (ended || client == null) {
      return;
    }
    load.latencies().record(Latencies.SEND_DELAY, due, System.nanoTime());
    underWay.incrementAndGet();
    var _ =
        slot(client, user, due)
            .thenCompose(slot -> put(slot, due))
            .thenCompose(this::get)
            .whenComplete((_, failure) -> {
              underWay.decrementAndGet();
              if (failure != null) {
                load.counters().add(Counters.ERRORS, 1);
                load.counters().problem("an upload failed: " + Failures.describe(failure));
              }
            });
  }

  private CompletableFuture<String> slot(XmppClient client, int user, long due) {
    String request =
        "<request xmlns='urn:xmpp:http:upload:0' filename='file.bin' size='"
            + file.length
            + "' content-type='application/octet-stream'/>";
    return client
        .iq("get", "upload." + load.endpoint(user).domain(), request)
        .thenApply(answer -> {
          if (!"result".equals(Markup.attribute(answer, "type"))) {
            throw new IllegalStateException(answer);
          }
          load.latencies().record(SLOT, due, System.nanoTime());
          return answer;
        });
  }

  /// Puts the file.
  ///
  /// @return where to get it from
  private CompletableFuture<URI> put(String slot, long due) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address(slot, "put"))
            .timeout(LIMIT)
            .header("Content-Type", "application/octet-stream")
            .PUT(HttpRequest.BodyPublishers.ofByteArray(file));
    for (Map.Entry<String, String> header : headers(slot).entrySet()) {
      request.header(header.getKey(), header.getValue());
    }
    return http.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
        .thenApply(answer -> {
          if (answer.statusCode() != CREATED && answer.statusCode() != OK) {
            throw new IllegalStateException("PUT was answered by " + answer.statusCode());
          }
          load.latencies().record(PUT, due, System.nanoTime());
          load.counters().add(PUT, 1);
          return address(slot, "get");
        });
  }

  /// The header fields that the server asks for, such as one with its permission.
  static Map<String, String> headers(String slot) {
    Map<String, String> headers = new TreeMap<>();
    for (int at = slot.indexOf("<header"); at >= 0; at = slot.indexOf("<header", at + 1)) {
      String element = slot.substring(at);
      String name = Markup.attribute(element, "name");
      if (name != null) {
        headers.put(name, Markup.text(element, "header"));
      }
    }
    return headers;
  }

  /// The address of an element of a slot.
  static URI address(String slot, String name) {
    int at = slot.indexOf("<" + name);
    String url = at < 0 ? null : Markup.attribute(slot.substring(at), "url");
    if (url == null) {
      throw new IllegalStateException("a slot without " + name + ": " + slot);
    }
    return URI.create(url.replace("&amp;", "&"));
  }

  private CompletableFuture<Void> get(URI address) {
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (int i = 0; i < load.options().whole("downloads"); i++) {
      done = done.thenCompose(_ -> getOnce(address));
    }
    return done;
  }

  private CompletableFuture<Void> getOnce(URI address) {
    long begin = System.nanoTime();
    HttpRequest request = HttpRequest.newBuilder(address).timeout(LIMIT).build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        .thenAccept(answer -> {
          if (answer.statusCode() != OK || answer.body().length != file.length) {
            throw new IllegalStateException(
                "GET was answered by "
                    + answer.statusCode()
                    + " with "
                    + answer.body().length
                    + " bytes");
          }
          load.latencies().record(GET, begin, System.nanoTime());
        });
  }

  /// Begins no more.
  void end() {
    ended = true;
  }

  boolean isIdle() {
    return underWay.get() == 0;
  }

  @Override
  public void close() {
    ended = true;
    schedules.forEach(each -> each.cancel(false));
    http.shutdownNow();
    clients.values().forEach(XmppClient::close);
  }
}
