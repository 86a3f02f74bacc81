package im.zonda.app.plugin;

import im.zonda.app.settings.plugin.ManifestReader;
import im.zonda.app.settings.plugin.PluginSetting;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.users.HostedAccounts;
import im.zonda.config.ServerConfig;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.XmppServer;
import im.zonda.host.plugin.PluginSurroundings;
import im.zonda.host.plugin.Plugins;
import im.zonda.host.plugin.jar.PluginJarException;
import im.zonda.host.plugin.manifest.CheckedSettings;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.plugin.PluginSettings;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.timer.PeriodicTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The plugins of a server while it runs.
public final class PluginStart implements AutoCloseable {
  /// What another node of a cluster has changed counts here after this time, if its notice is lost.
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);

  private static final String FOLDER = "plugins";

  private final AtomicReference<Supplier<ServerConfig>> config;
  private final AtomicReference<AddedPlugins> added = new AtomicReference<>();
  private final Plugins plugins;
  private final PeriodicTask reading;

  private PluginStart(XmppServer server, Stores stores, ServerRuntime runtime, ServerConfig first) {
    config = new AtomicReference<>(() -> first);
    Path folder = first.data().resolve(FOLDER);
    plugins =
        new Plugins(
            new PluginSurroundings(
                server,
                runtime,
                stores::keyValues,
                HostedAccounts.of(server, stores, runtime),
                this::settings,
                folder),
            (name, reason) -> added.get().disabled(name, reason));
    AddedPlugins all =
        new AddedPlugins(
            stores.keyValues(AddedPlugins.STORE),
            new PluginJars(stores.keyValues(PluginJars.STORE), folder),
            PluginStart::manifest,
            plugins,
            runtime.clock(),
            () -> server.notices().post(AddedPlugins.STORE));
    added.set(all);
    server.notices().on(AddedPlugins.STORE, () -> runtime.workers().execute(all::applyAgain));
    server
        .catalogue()
        .offer(
            PluginOperations.of(all, PluginStart::manifest, new Configuration(), runtime.clock()));
    server.catalogue().meters().add(PluginReadings.of(all));
    reading =
        PeriodicTask.start(
            runtime.scheduler(), READ_AGAIN, READ_AGAIN, runtime.workers(), all::applyAgain);
  }

  /// Starts the plugins that were added, and offers the operations. One that does not start is
  /// logged and shown. Blocks.
  ///
  /// @throws StoreException if the database does not answer
  public static PluginStart over(
      XmppServer server, Stores stores, ServerRuntime runtime, ServerConfig first) {
    PluginStart started = new PluginStart(server, stores, runtime, first);
    started.added.get().apply();
    return started;
  }

  /// From now on settings are those of the configuration in force.
  public void configuredBy(Supplier<ServerConfig> running) {
    config.set(running);
  }

  /// The plugins that run.
  public Plugins running() {
    return plugins;
  }

  /// The manifests of the plugins that run, by name.
  public @Nullable PluginManifest manifestOf(String name) {
    Plugins.Status status = plugins.running().get(name);
    return status == null ? null : status.manifest();
  }

  static PluginManifest manifest(byte[] toml) throws PluginJarException {
    try {
      return ManifestReader.read(toml);
    } catch (SettingsException e) {
      throw new PluginJarException(String.valueOf(e.getMessage()));
    }
  }

  private PluginSettings settings(PluginManifest manifest, @Nullable String host, Path folder) {
    ServerConfig all = config.get().get();
    return CheckedSettings.of(
        manifest, values(host == null ? all : all.at(host), manifest.name()), folder);
  }

  /// Has plugins take over changed settings.
  ///
  /// @return what could not be done, in sentences for the administrator
  public List<String> reload(ServerConfig before, ServerConfig after) {
    List<String> failures = new ArrayList<>();
    plugins.reload(name -> differs(name, before, after), failures);
    return failures;
  }

  /// What the configuration in force has for plugins.
  private final class Configuration implements PluginOperations.Configured {
    @Override
    public List<String> hosts(String plugin) {
      ServerConfig all = config.get().get();
      return all.hosts().stream()
          .filter(host -> !all.at(host).modulesOff().contains(plugin))
          .toList();
    }

    @Override
    public List<PluginSetting> settings(PluginManifest manifest) {
      return PluginSetting.of(manifest, values(config.get().get(), manifest.name()));
    }
  }

  private static boolean differs(String name, ServerConfig before, ServerConfig after) {
    return !before.hosts().equals(after.hosts())
        || !values(before, name).equals(values(after, name))
        || after.hosts().stream()
            .anyMatch(host -> !values(before.at(host), name).equals(values(after.at(host), name)));
  }

  private static PluginValues values(ServerConfig config, String plugin) {
    return config.plugin().getOrDefault(plugin, PluginValues.NONE);
  }

  @Override
  public void close() {
    reading.cancel();
    plugins.close();
  }
}
