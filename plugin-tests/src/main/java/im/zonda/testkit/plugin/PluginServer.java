package im.zonda.testkit.plugin;

import im.zonda.app.StandardModules;
import im.zonda.app.accounts.AccountSources;
import im.zonda.app.plugin.PluginOperations;
import im.zonda.app.plugin.PluginStart;
import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.Plugins;
import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.plugin.Plugin;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A server in the test's own process, with the modules of the product and one plugin, which was
/// added as `zonda plugin add` does. Its host is [#HOST]; clients connect by loopback sockets.
///
/// The plugin has a class loader of its own, as in the product: a static field in the test is
/// another one than in the plugin.
public final class PluginServer implements AutoCloseable {
  /// The host.
  public static final String HOST = "example.org";

  private final String name;
  private final TestServer server;
  private final PluginStart plugins;

  private PluginServer(String name, TestServer server, PluginStart plugins) {
    this.name = name;
    this.server = server;
    this.plugins = plugins;
  }

  /// Starts a server with a plugin, whose settings are their defaults.
  ///
  /// @param plugin its class; the folder or jar with it has `plugin.toml`
  /// @throws IOException if the server or the plugin does not start, which says why
  public static PluginServer start(Class<? extends Plugin> plugin) throws IOException {
    return start(plugin, Map.of());
  }

  /// Starts a server with a plugin and settings.
  ///
  /// @param settings a text, whole number, boolean, duration or list of texts for each name
  /// @throws IOException if the server or the plugin does not start, which says why
  public static PluginServer start(Class<? extends Plugin> plugin, Map<String, ?> settings)
      throws IOException {
    return start(plugin, settings, UnaryOperator.identity());
  }

  /// Starts a server of another plan with a plugin and settings.
  ///
  /// @param settings a text, whole number, boolean, duration or list of texts for each name
  /// @param change changes the plan: other hosts, other settings of the server
  /// @throws IOException if the server or the plugin does not start, which says why
  public static PluginServer start(
      Class<? extends Plugin> plugin, Map<String, ?> settings, UnaryOperator<ServerPlan> change)
      throws IOException {
    PackedPlugin packed = PackedPlugin.of(plugin);
    Map<String, PluginValue> values = new HashMap<>();
    settings.forEach((name, value) -> values.put(name, value(value)));
    AccountSources sources = new AccountSources(InstantSource.system());
    ServerPlan plan =
        change.apply(ServerPlan.of(StandardModules::create).withHosts(HOST).withProviders(sources));
    TestServer server =
        (values.isEmpty()
                ? plan
                : plan.with("plugin", Map.of(packed.name(), new PluginValues(values))))
            .startOnSockets();
    PluginStart plugins =
        PluginStart.over(server.server(), server.stores(), server.runtime(), server.config());
    sources.pluginsFrom(plugins.running()::provider);
    PluginServer started = new PluginServer(packed.name(), server, plugins);
    try {
      started.add(packed);
      return started;
    } catch (IOException e) {
      started.close();
      throw e;
    }
  }

  private void add(PackedPlugin packed) throws IOException {
    PluginOperations.New jar =
        new PluginOperations.New(Base64.getEncoder().encodeToString(packed.jar()), null);
    Outcome<PluginOperations.Added> outcome =
        server.operations().run(Caller.owner("test"), PluginOperations.ADD, jar);
    if (outcome instanceof Outcome.Refused<PluginOperations.Added>(var _, String text, var _)) {
      throw new IOException(text);
    }
  }

  private static PluginValue value(Object value) {
    return switch (value) {
      case Boolean on -> new PluginValue.Flag(on);
      case Integer number -> new PluginValue.Whole(number);
      case Long number -> new PluginValue.Whole(number);
      case Duration time -> new PluginValue.Text(time.toMillis() + "ms");
      case List<?> texts -> new PluginValue.Texts(texts.stream().map(String::valueOf).toList());
      default -> new PluginValue.Text(value.toString());
    };
  }

  /// A client that has logged in, bound a resource and sent its presence, as clients do. Its
  /// account is created.
  ///
  /// @param address a full address at [#HOST], such as `alice@example.org/desk`
  public ScriptedClient connect(String address) {
    ScriptedClient client = server.connect(address);
    client.send("<presence/>");
    XmlElement _ = client.receiveFirst(each -> each.localName().equals("presence"));
    return client;
  }

  /// How the plugin does: its calls, those that have failed, its last fault. Null if it has
  /// stopped.
  public Plugins.@Nullable Status status() {
    return plugins.running().running().get(name);
  }

  /// The server.
  public TestServer server() {
    return server;
  }

  /// Stops plugin and server, and deletes the data.
  @Override
  public void close() {
    plugins.close();
    server.close();
  }
}
