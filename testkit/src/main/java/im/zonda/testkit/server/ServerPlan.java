package im.zonda.testkit.server;

import im.zonda.auth.provider.ProviderChains;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.dns.ServerAddresses;
import im.zonda.module.XmppModule;
import im.zonda.store.Stores;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The plan of a test server. Immutable; `with…` returns a changed copy.
///
/// @param hosts the virtual hosts
/// @param modules creates the modules of one host
/// @param tweaks changes the configuration
/// @param wrapping wraps the stores, to inject faults or to record calls
/// @param clock the test's clock; null for real time (never in memory)
/// @param data the data folder; null for a temporary one
/// @param writingLink whether every value between streams and sessions is written to bytes
/// @param access how clients connect; all but `DIRECT` need sockets
/// @param secret the server's secret, in ASCII
/// @param addresses where other servers are; null without federation, which needs sockets
/// @param crossings records what clients and their sessions exchange; null to record nothing
/// @param providers opens those who keep accounts elsewhere, which needs sockets
public record ServerPlan(
    List<String> hosts,
    Supplier<List<XmppModule>> modules,
    UnaryOperator<ServerConfig> tweaks,
    UnaryOperator<Stores> wrapping,
    @Nullable FakeClock clock,
    @Nullable Path data,
    boolean writingLink,
    Access access,
    String secret,
    @Nullable ServerAddresses addresses,
    @Nullable Crossings crossings,
    ProviderChains.Source providers) {

  /// How clients connect.
  public enum Access {
    DIRECT,
    EDGE,
    WEBSOCKET,
    BOSH,
    EDGE_WEBSOCKET,
    EDGE_BOSH
  }

  /// A server for `example.org` with these modules.
  public static ServerPlan of(Supplier<List<XmppModule>> modules) {
    return new ServerPlan(
        List.of("example.org"),
        modules,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        null,
        null,
        false,
        Access.DIRECT,
        "not a secret in tests",
        null,
        null,
        ProviderChains.Source.NONE);
  }

  /// This plan with these hosts.
  public ServerPlan withHosts(String... names) {
    return RecordCopy.with(this, "hosts", List.of(names));
  }

  /// This plan with another change to the configuration.
  public ServerPlan withConfig(UnaryOperator<ServerConfig> tweak) {
    UnaryOperator<ServerConfig> both = config -> tweak.apply(tweaks.apply(config));
    return RecordCopy.with(this, "tweaks", both);
  }

  /// This plan with that value at `path` of the configuration, such as `limits.saslFailures`.
  public ServerPlan with(String path, Object value) {
    return withConfig(config -> RecordCopy.with(config, path, value));
  }

  /// This plan with wrapped stores.
  public ServerPlan withStores(UnaryOperator<Stores> wrapper) {
    return RecordCopy.with(this, "wrapping", wrapper);
  }

  /// This plan with a clock that the test advances.
  public ServerPlan withClock(FakeClock fake) {
    return RecordCopy.with(this, "clock", fake);
  }

  /// This plan with a data folder that is kept, so that the server can be restarted.
  public ServerPlan withData(Path folder) {
    return RecordCopy.with(this, "data", folder);
  }

  /// The same with a link between streams and sessions that writes every value to bytes and reads
  /// it back.
  public ServerPlan withWritingLink() {
    return RecordCopy.with(this, "writingLink", true);
  }

  /// This plan with clients that connect like that.
  public ServerPlan withAccess(Access other) {
    return RecordCopy.with(this, "access", other);
  }

  /// This plan with clients on WebSockets.
  public ServerPlan withWebSockets() {
    return withAccess(Access.WEBSOCKET);
  }

  /// This plan with an edge between clients and server.
  public ServerPlan withEdge() {
    return withAccess(Access.EDGE);
  }

  /// This plan with another secret.
  public ServerPlan withSecret(String other) {
    return RecordCopy.with(this, "secret", other);
  }

  /// This plan with federation.
  public ServerPlan withFederation(ServerAddresses others) {
    return RecordCopy.with(this, "addresses", others);
  }

  /// This plan with a record of what clients and their sessions exchange.
  public ServerPlan withCrossings(Crossings recorded) {
    return RecordCopy.with(this, "crossings", recorded);
  }

  /// This plan with accounts that others keep.
  public ServerPlan withProviders(ProviderChains.Source source) {
    return RecordCopy.with(this, "providers", source);
  }

  /// Starts the server without sockets, on the calling thread and a fake clock.
  ///
  /// @throws IOException if its data folder cannot be created
  public TestServer startInMemory() throws IOException {
    return TestServer.inMemory(clock == null ? withClock(new FakeClock()) : this);
  }

  /// Starts the server on loopback sockets.
  ///
  /// @throws IOException if its data folder or a port cannot be opened
  public TestServer startOnSockets() throws IOException {
    return TestServer.onSockets(this);
  }
}
