package im.zonda.app.hosts;

import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsChange;
import im.zonda.app.settings.SettingsKeys;
import im.zonda.app.settings.edit.TextDifference;
import im.zonda.app.settings.edit.TomlText;
import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.settings.toml.Utf8File;
import im.zonda.config.ServerConfig;
import im.zonda.operation.Call;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The configuration file of a running server, whose content operations change. Comments and order
/// stay. What was in it is kept ([ConfigHistory]).
///
/// @param config the configuration in force
/// @param source where it is read
/// @param listeners the addresses at which the server listens
record ConfigFile(
    ConfigReload config,
    ConfigSource source,
    Supplier<List<String>> listeners,
    InstantSource clock) {
  /// The most characters of the text of an audit entry.
  private static final int MOST_CHANGE = 200;

  /// A key with its new value.
  ///
  /// @param key its dotted name
  /// @param value as people write it; null for the default
  record Setting(String key, @Nullable String value) {}

  /// A content that the file could have.
  ///
  /// @param before what is in it
  /// @param after what would be in it
  /// @param plugins those that are added
  record Draft(String before, String after, AddedManifests plugins) {
    /// The lines that differ, without secrets.
    List<String> difference() {
      return TextDifference.of(
          TomlText.without(before, path -> SettingsKeys.isSecret(path, plugins)),
          TomlText.without(after, path -> SettingsKeys.isSecret(path, plugins)));
    }
  }

  /// Where it is, or would be.
  Path path() {
    Path file = source.file();
    if (file != null) {
      return file;
    }
    return Objects.requireNonNull(source.hostFiles().folder().getParent()).resolve("zonda.toml");
  }

  ConfigHistory history() {
    return ConfigHistory.in(config.running().data());
  }

  /// What is in it; empty if there is no file.
  String content() throws IOException {
    Path file = path().toAbsolutePath();
    return Files.exists(file) ? Utf8File.read(file) : "";
  }

  /// The content with other values of some keys.
  ///
  /// @throws IllegalArgumentException with a sentence if that cannot be
  Draft draft(List<Setting> settings) throws IOException {
    AddedManifests plugins = AddedManifests.in(config.running().data());
    String before = content();
    String after = before;
    for (Setting each : settings) {
      List<String> path = TomlText.path(each.key());
      String value = each.value() == null ? null : SettingsKeys.toToml(path, each.value(), plugins);
      after = TomlText.with(after, path, value);
    }
    return new Draft(before, after, plugins);
  }

  /// A former content in place of the present one.
  Draft former(String content) throws IOException {
    return new Draft(content(), content, AddedManifests.in(config.running().data()));
  }

  /// What would change, and what would wait for a restart.
  ///
  /// @throws SettingsException if the configuration would be wrong
  /// @throws IOException if an address cannot be used
  List<String> check(Draft draft) throws SettingsException, IOException {
    Settings wanted = source.readWith(path(), draft.after());
    tryAddresses(wanted.config());
    ServerConfig running = config.running();
    ServerConfig after = running.withReloadable(wanted.config());
    return SettingsChange.describe(running, after, wanted);
  }

  /// A server that cannot listen does not start again: so the addresses are tried before.
  private void tryAddresses(ServerConfig wanted) throws IOException {
    List<String> known = listeners.get();
    List<String> all = new ArrayList<>();
    all.addAll(wanted.c2s().listen());
    all.addAll(wanted.c2s().listenTls());
    all.addAll(wanted.s2s().enabled() ? wanted.s2s().listen() : List.of());
    all.addAll(wanted.s2s().enabled() ? wanted.s2s().listenTls() : List.of());
    all.addAll(wanted.http().listen());
    all.addAll(wanted.http().listenTls());
    all.addAll(wanted.admin().listenTls());
    all.addAll(wanted.api().listen());
    all.addAll(wanted.api().listenTls());
    for (String each : all) {
      int port = Integer.parseInt(each.substring(each.lastIndexOf(':') + 1));
      boolean taken =
          known.stream().anyMatch(one -> one.endsWith(":" + port)); // by this server itself
      if (!taken && port > 0) {
        tryAddress(each, port);
      }
    }
  }

  private static void tryAddress(String address, int port) throws IOException {
    String host = address.substring(0, address.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      String why =
          port < 1_024 && String.valueOf(e.getMessage()).contains("ermission")
              ? "this user may not listen below 1024;"
                  + " AmbientCapabilities=CAP_NET_BIND_SERVICE in zonda.service allows it"
              : String.valueOf(e.getMessage());
      throw new IOException("the server cannot listen at " + address + ": " + why, e);
    }
  }

  /// Writes the content and takes it over. If it cannot be, nothing has changed. The caller holds
  /// the monitor of [#config].
  ///
  /// @param change what is changed, for the history
  /// @return what has changed and what needs a restart
  List<String> apply(Call call, Draft draft, String change) throws SettingsException, IOException {
    List<String> _ = check(draft);
    Path file = path().toAbsolutePath();
    boolean existed = Files.exists(file);
    String words = change.length() > MOST_CHANGE ? change.substring(0, MOST_CHANGE) : change;
    history().keep(draft.before(), clock.instant(), call.caller().name(), words);
    ServerConfig running = config.running();
    ConfigHistory.write(file, draft.after(), true);
    try {
      return ConfigOperations.reloaded(call, config);
    } catch (SettingsException | IOException | RuntimeException e) {
      if (config.running().equals(running)) {
        restore(file, existed ? draft.before() : null);
      }
      throw e;
    }
  }

  private static void restore(Path file, @Nullable String content) throws IOException {
    if (content == null) {
      Files.deleteIfExists(file);
    } else {
      ConfigHistory.write(file, content, true);
    }
  }
}
