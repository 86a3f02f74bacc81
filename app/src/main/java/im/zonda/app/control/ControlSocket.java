package im.zonda.app.control;

import im.zonda.app.metric.MetricOperations;
import im.zonda.config.Http;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRoute;
import im.zonda.metric.PrometheusText;
import im.zonda.net.http.HttpServer;
import im.zonda.net.local.LocalServer;
import im.zonda.operation.Caller;
import im.zonda.operation.Operations;
import im.zonda.operation.rest.RestHandler;
import im.zonda.operation.rest.TextHandler;
import im.zonda.runtime.ServerRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/// The operations of a running server by HTTP, on a socket in its data folder. Only the operating
/// system's user that runs the server may connect, and may do everything.
public final class ControlSocket implements AutoCloseable {
  private static final String METRICS = "/metrics";
  private static final int MAX_CONNECTIONS = 16;
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final Path file;
  private final SocketPath path;
  private final LocalServer server;

  private ControlSocket(Path file, SocketPath path, LocalServer server) {
    this.file = file;
    this.path = path;
    this.server = server;
  }

  /// Opens the socket in a data folder that this process has locked.
  ///
  /// @throws IOException if it cannot be opened
  public static ControlSocket open(Path folder, Operations operations, ServerRuntime runtime)
      throws IOException {
    return open(folder, operations, runtime, SILENCE);
  }

  /// @param silence after which a connection is closed
  static ControlSocket open(
      Path folder, Operations operations, ServerRuntime runtime, Duration silence)
      throws IOException {
    Path file = folder.resolve(SocketPath.NAME);
    Files.deleteIfExists(file); // left by a killed server; this process has the folder's lock
    Caller owner = Caller.owner(System.getProperty("user.name"));
    HttpRoute route =
        new HttpRoute(
                RestHandler.FOLDER,
                true,
                EnumSet.allOf(HttpMethod.class),
                false,
                new RestHandler(operations, _ -> owner))
            .withSlashes();
    HttpRoute metrics =
        new HttpRoute(
            METRICS,
            false,
            EnumSet.of(HttpMethod.GET),
            false,
            new TextHandler<>(
                operations,
                _ -> owner,
                MetricOperations.PROMETHEUS,
                MetricOperations.Text::text,
                PrometheusText.TYPE));
    HttpHosts routes = new SameRoutes(List.of(route, metrics));
    HttpServer http = new HttpServer(Http.OFF, limits(silence), routes, runtime);
    SocketPath path = SocketPath.in(folder);
    try {
      LocalServer server = LocalServer.open(path.address(), MAX_CONNECTIONS, http::serve);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return new ControlSocket(file, path, server);
    } catch (IOException | RuntimeException e) {
      path.close();
      throw e;
    }
  }

  private static HttpLimits limits(Duration silence) {
    HttpLimits usual = HttpLimits.DEFAULTS;
    return new HttpLimits(
        usual.connectionsPerAddress(),
        usual.connections(),
        usual.headerBytes(),
        usual.headerFields(),
        usual.streams(),
        silence,
        silence,
        silence,
        usual.bosh());
  }

  /// Whatever name is asked for, there are the same routes.
  private record SameRoutes(List<HttpRoute> routes) implements HttpHosts {
    @Override
    public List<String> domains() {
      return List.of();
    }

    @Override
    public List<HttpRoute> routes(String domain) {
      return routes;
    }

    @Override
    public List<String> origins(String domain) {
      return List.of();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    path.close();
    Files.deleteIfExists(file);
  }
}
