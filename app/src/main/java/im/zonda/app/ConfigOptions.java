package im.zonda.app;

import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsException;
import im.zonda.app.settings.SettingsReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where the configuration is; the options of all commands that need it.
final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration file (default: zonda.toml in this folder, if there is one).")
  private @Nullable Path config;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DIR",
      description = "The data folder (default: the one of the configuration, or data).")
  private @Nullable Path data;

  /// Made by picocli.
  ConfigOptions() {}

  /// The options with these values.
  ConfigOptions(@Nullable Path config, @Nullable Path data) {
    this.config = config;
    this.data = data;
  }

  /// The file that is read; null for none.
  @Nullable Path file() {
    return config == null ? SettingsReader.usual(currentFolder()) : config;
  }

  /// Reads the configuration.
  ///
  /// @throws SettingsException with all that is wrong
  Settings read() throws SettingsException {
    return new SettingsReader(System.getenv(), StandardModules.optional())
        .read(file(), data, currentFolder());
  }

  private static Path currentFolder() {
    return Path.of("").toAbsolutePath();
  }
}
