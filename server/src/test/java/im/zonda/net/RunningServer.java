package im.zonda.net;

import im.zonda.config.limits.Limits;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.client.StreamFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server on free ports of this machine with a self-signed certificate for `example.org`.
final class RunningServer implements AutoCloseable {
  final StreamFixture fixture = new StreamFixture();
  final Certificates certificates;
  final NetServer net;
  final InetSocketAddress plain;
  final InetSocketAddress tls;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();

  RunningServer(Path folder, NetServer.Io io, Limits limits, boolean plaintext) throws IOException {
    this(folder, io, limits, plaintext, 1);
  }

  RunningServer(Path folder, NetServer.Io io, Limits limits, boolean plaintext, int eventLoops)
      throws IOException {
    PemFiles files =
        SelfSigned.ensure(
            folder, List.of("example.org"), InstantSource.system(), new SecureRandom());
    certificates = new Certificates(new CertificateFiles(List.of(files)), InstantSource.system());
    net =
        new NetServer(
            new NetServer.Settings(
                List.of(
                    Listener.parse(Listener.Kind.STARTTLS, "127.0.0.1:0"),
                    Listener.parse(Listener.Kind.DIRECT_TLS, "127.0.0.1:0")),
                eventLoops,
                io),
            certificates,
            fixture.context(limits, plaintext, blocking),
            blocking);
    List<Listener> bound = net.start();
    plain = bound.get(0).address();
    tls = bound.get(1).address();
  }

  static RunningServer start(Path folder) throws IOException {
    return new RunningServer(folder, NetServer.Io.AUTO, Limits.defaults(), true);
  }

  /// Stops the server before the end of the test.
  void stop() {
    net.stop(Duration.ofSeconds(1));
  }

  @Override
  public void close() {
    stop();
    blocking.close();
  }
}
