package im.zonda.app.federation;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.scenario.Stage;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// The servers of a scenario, in one process and over sockets, in real time.
final class ServersOnStage implements Stage, AutoCloseable {
  private final Map<String, TestServer> servers = new LinkedHashMap<>();

  /// Starts a server for each domain.
  ///
  /// @param folder has the certificates
  static ServersOnStage start(
      List<String> domains, Mode mode, Path folder, UnaryOperator<ServerConfig> change)
      throws IOException {
    FakeAddresses addresses = new FakeAddresses();
    ServersOnStage stage = new ServersOnStage();
    for (String domain : domains) {
      stage.servers.put(domain, TwoServers.start(domain, mode, folder, change, addresses));
    }
    return stage;
  }

  private TestServer of(String address) {
    String domain = address.substring(address.indexOf('@') + 1).replaceFirst("/.*", "");
    TestServer server = servers.get(domain);
    if (server == null) {
      throw new IllegalArgumentException("no server of " + domain + " runs");
    }
    return server;
  }

  @Override
  public void accounts(Collection<String> addresses) {
    addresses.forEach(address -> of(address).accounts(List.of(address)));
  }

  @Override
  public ScriptedClient connect(String address) {
    return of(address).connect(address);
  }

  @Override
  public ScriptedClient open(String address) {
    return of(address).open(address);
  }

  @Override
  public void advance(Duration step) {
    throw new UnsupportedOperationException("these servers live in real time");
  }

  @Override
  public void stop(String server) {
    of(server).close();
    servers.remove(server);
  }

  @Override
  public void close() {
    servers.values().forEach(TestServer::close);
  }
}
