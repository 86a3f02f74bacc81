package im.zonda.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Api;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Grant;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A server of `own.example` and `other.example` whose API is on a free port, with an operation
/// that is seen when it runs, and raw requests to it.
final class RunningApi implements AutoCloseable {
  static final String HOST = "own.example";

  /// A probe.
  record Probed(
      @Field("the name of the probe") String probe, @Field("a note") @Nullable String note) {}

  /// What a probe says.
  record Said(@Field("the words") String words, @Field("a note") @Nullable String note) {}

  static final Operation<Probed, Said> SHOW =
      Operation.read("probe.show", Right.SERVER)
          .at("GET /probes/{probe}", "Say what was asked", Probed.class, Said.class);

  static final Operation<Probed, Nothing> TOUCH =
      Operation.change("probe.touch", Right.SERVER)
          .at("POST /probes/{probe}", "Touch a probe", Probed.class, Nothing.class);

  static final Operation<Probed, Nothing> REMOVE =
      Operation.destroy("probe.remove", Right.SERVER)
          .at("DELETE /probes/{probe}", "Remove a probe", Probed.class, Nothing.class);

  /// Says one thing, and waits for others for ever.
  static final Operation<Probed, Said> WATCH =
      Operation.read("probe.watch", Right.SERVER)
          .at("GET /probes/{probe}/words", "Say what comes", Probed.class, Said.class);

  final FakeClock clock = new FakeClock();
  final TestServer server;
  final ApiTokens tokens;
  final Operations operations;

  /// What has been changed.
  final List<String> changed = new CopyOnWriteArrayList<>();

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final NetServer net;
  private final InetSocketAddress address;

  /// @param folder of the certificate
  RunningApi(Path folder, Api settings) throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withHosts(HOST, "other.example")
            .with("limits.http.bodyTime", Duration.ofMillis(300))
            .startInMemory();
    ServerConfig config = RecordCopy.with(server.config(), "api", settings);
    ServerRuntime runtime =
        new ServerRuntime(
            clock, clock, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
    ServerOperations made = ServerOperations.over(server.server(), server.stores(), runtime);
    tokens = made.tokens();
    operations = made.operations();
    server
        .server()
        .catalogue()
        .offer(
            List.of(
                SHOW.by((_, probed) -> Outcome.done(new Said(probed.probe(), probed.note()))),
                TOUCH.by((_, probed) -> change("touch " + probed)),
                WATCH.by((_, probed) ->
                    new Outcome.Following<>(sink -> {
                      sink.accept(new Said(probed.probe(), null));
                      new CountDownLatch(1).await();
                    })),
                REMOVE.by((_, probed) -> change("remove " + probed))));
    net =
        new NetServer(
            new NetServer.Settings(made.listeners(config), 1, NetServer.Io.AUTO),
            new Certificates(
                new CertificateFiles(
                    List.of(
                        SelfSigned.ensure(
                            folder,
                            List.of(HOST, "localhost"),
                            InstantSource.system(),
                            new SecureRandom()))),
                InstantSource.system()),
            server.server().streams(),
            workers);
    List<Listener> bound = net.start();
    address = bound.getFirst().address();
    assertThat(bound.getFirst().kind()).isEqualTo(Listener.Kind.API);
  }

  private Outcome<Nothing> change(String what) {
    changed.add(what);
    return Nothing.done();
  }

  /// Creates a token with that grant; returns its text.
  String token(String name, Grant grant) {
    return Objects.requireNonNull(
        tokens.create(name, grant, "test", clock.instant().plus(Duration.ofDays(90))));
  }

  Caller owner() {
    return Caller.owner("root");
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address);
    socket.setSoTimeout(30_000);
    return socket;
  }

  /// Sends text, each character as one byte, and returns everything until the server closes.
  String exchange(String text) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// The response to a request, after which the connection is closed.
  ///
  /// @param head the request line and header fields besides `Connection`, with `\n` as line ends
  String send(String head, String body) throws IOException {
    return exchange((head + "\nConnection: close\n\n").replace("\n", "\r\n") + body);
  }

  /// The status of a response.
  static int status(String response) {
    assertThat(response).startsWith("HTTP/1.1 ");
    return Integer.parseInt(response.substring(9, 12));
  }

  @Override
  public void close() {
    net.stop(Duration.ofSeconds(1));
    workers.close();
    server.close();
  }
}
