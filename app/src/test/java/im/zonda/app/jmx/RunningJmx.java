package im.zonda.app.jmx;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.ServerOperations;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.monitoring.Jmx;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// A server whose JMX is on a free port, and clients of it.
final class RunningJmx implements AutoCloseable {
  static final int MOST = 6;

  final FakeClock clock = new FakeClock();
  final ApiTokens tokens;
  final JmxServer jmx;
  private final TestServer server;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

  /// @param folder of the certificate
  RunningJmx(Path folder, boolean tls) throws IOException {
    server = ServerPlan.of(StandardModules::create).withHosts("localhost").startInMemory();
    ServerRuntime runtime =
        new ServerRuntime(
            clock, clock, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
    ServerOperations made = ServerOperations.over(server.server(), server.stores(), runtime);
    tokens = made.tokens();
    ServerConfig config =
        RecordCopy.with(server.config(), "jmx", new Jmx("127.0.0.1:0", tls, null, List.of(), MOST));
    Certificates certificates =
        new Certificates(
            new CertificateFiles(
                List.of(
                    SelfSigned.ensure(
                        folder, List.of("localhost"), InstantSource.system(), new SecureRandom()))),
            InstantSource.system());
    jmx = JmxServer.start(config, made, certificates);
  }

  /// The text of a new token.
  String token(String name, Grant grant) {
    return Objects.requireNonNull(
        tokens.create(name, grant, "test", clock.instant().plus(Duration.ofDays(1))));
  }

  /// The text of a new token that may read.
  String reader() {
    return token("reader", new Grant(Role.READ_ONLY, null, null));
  }

  JMXServiceURL url() throws IOException {
    return new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + jmx.port() + "/jmxrmi");
  }

  Registry registry() throws IOException {
    return LocateRegistry.getRegistry("127.0.0.1", jmx.port());
  }

  /// A connection with those credentials.
  @SuppressWarnings("BanJNDI") // the test's own server
  JMXConnector connect(Object credentials) throws IOException {
    return JMXConnectorFactory.connect(url(), Map.of(JMXConnector.CREDENTIALS, credentials));
  }

  @Override
  public void close() throws IOException {
    jmx.close();
    server.close();
    workers.shutdownNow();
  }
}
