package im.zonda.app.hosts;

import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.toml.SettingsException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a server reads its configuration, at the start and again when it is reloaded.
public interface ConfigSource {
  /// Reads and checks the configuration.
  ///
  /// @throws SettingsException with all errors
  /// @throws IOException if the machine could not be asked
  Settings read() throws SettingsException, IOException;

  /// Reads and checks the configuration as it would be with that content of its file.
  ///
  /// @param file the file, which need not exist
  /// @throws SettingsException with all errors
  /// @throws IOException if the machine could not be asked
  Settings readWith(Path file, String content) throws SettingsException, IOException;

  /// The configuration file; null if there is none.
  @Nullable Path file();

  /// The files of single hosts that belong to it.
  HostFiles hostFiles();
}
