package im.zonda.host.plugin;

import im.zonda.host.XmppServer;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.plugin.PluginAccounts;
import im.zonda.plugin.PluginSettings;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.KeyValueStore;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Parts of a server that its plugins share.
///
/// @param server the server
/// @param runtime time and threads of the server
/// @param keyValues opens the key-value store of a name
/// @param accounts the accounts of the hosts for a plugin, by the name of its key-value store
/// @param settings the settings of plugins
/// @param folder the folder with the jars and with the folder of each plugin
public record PluginSurroundings(
    XmppServer server,
    ServerRuntime runtime,
    Function<String, KeyValueStore> keyValues,
    Function<String, PluginAccounts> accounts,
    SettingsSource settings,
    Path folder) {
  /// Where settings come from.
  @FunctionalInterface
  public interface SettingsSource {
    /// The settings of a plugin at present.
    ///
    /// @param host the host, or null for those of the server
    /// @param folder the folder of the plugin
    /// @throws IllegalArgumentException if a value is not valid, with everything that is wrong
    PluginSettings read(PluginManifest manifest, @Nullable String host, Path folder);
  }
}
