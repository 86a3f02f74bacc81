package im.zonda.net.http;

import im.zonda.config.Http;
import im.zonda.config.limits.HttpLimits;
import im.zonda.config.limits.Limits;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import im.zonda.net.ClientStreams;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.bosh.BoshSessions;
import im.zonda.net.bosh.SessionIds;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.runtime.TestRuntime;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/// An HTTP server of the hosts `example.org` and `b.example` on free ports, and raw requests to it.
final class TestHttpServer implements AutoCloseable {
  final InetSocketAddress plain;
  final InetSocketAddress tls;
  final HttpServer http;
  final NetServer net;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  final BoshSessions bosh;

  TestHttpServer(Path folder, HttpLimits limits, List<HttpRoute> routes) throws IOException {
    this(folder, limits, routes, List.of(), each -> each);
  }

  /// A server behind proxies.
  ///
  /// @param trusted those that are believed what they say in header fields
  /// @param listening changes its listeners
  TestHttpServer(
      Path folder,
      HttpLimits limits,
      List<HttpRoute> routes,
      List<String> trusted,
      UnaryOperator<Listener> listening)
      throws IOException {
    PemFiles files =
        SelfSigned.ensure(
            folder,
            List.of("example.org", "localhost"),
            InstantSource.system(),
            new SecureRandom());
    Http settings =
        new Http(
            List.of("127.0.0.1:0"),
            List.of("127.0.0.1:0"),
            "https://web.{host}",
            List.of("https://app.example"),
            true,
            trusted);
    StreamContext streams = new StreamFixture().context(Limits.defaults(), false, workers);
    bosh =
        new BoshSessions(
            ClientStreams.of(streams),
            limits.bosh(),
            () -> System.nanoTime() / 1_000_000,
            SessionIds.alone());
    HttpHosts hosts = new Hosts(routes, settings.origins());
    http =
        new HttpServer(
            settings,
            limits,
            bosh.servedAt(hosts),
            new TestRuntime().clock(InstantSource.system()).workers(workers).build());
    net =
        new NetServer(
            new NetServer.Settings(
                http.listeners().stream().map(listening).toList(), 1, NetServer.Io.AUTO),
            new Certificates(new CertificateFiles(List.of(files)), InstantSource.system()),
            streams,
            workers);
    List<Listener> bound = net.start();
    plain = bound.get(0).address();
    tls = bound.get(1).address();
  }

  /// Three hosts with the same routes, each with other origins.
  private record Hosts(List<HttpRoute> routes, List<String> origins) implements HttpHosts {
    @Override
    public List<String> domains() {
      return List.of("example.org", "b.example", "other.example");
    }

    @Override
    public List<HttpRoute> routes(String domain) {
      return routes;
    }

    @Override
    public List<String> origins(String domain) {
      return switch (domain) {
        case "example.org" -> origins;
        case "b.example" -> List.of("*");
        default -> List.of("https://app." + domain);
      };
    }
  }

  /// A connection without TLS.
  Socket connect() throws IOException {
    return connect("127.0.0.1");
  }

  /// The same from an address, which must be one of this machine.
  Socket connect(String own) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(own, 0));
    socket.connect(plain);
    socket.setSoTimeout(20_000);
    return socket;
  }

  /// Sends text, each character as one byte, and returns everything until the server closes.
  String exchange(String text) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return rest(socket.getInputStream());
    }
  }

  /// Everything until the end.
  static String rest(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /// What has come up to the end of `last`, or until the server closes.
  static String until(InputStream in, String last) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (!all.toString(StandardCharsets.ISO_8859_1).endsWith(last)) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      all.write(next);
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    bosh.stop();
    net.stop(Duration.ofSeconds(1));
    workers.close();
  }
}
