package im.zonda.app;

import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import java.nio.file.Path;
import java.util.Map;

/// The configuration of a server in a file, without environment variables and options. The data
/// folder is resolved against the file's folder.
record ConfigFile(Path file) implements ConfigSource {
  @Override
  public Settings read() throws SettingsException {
    return new SettingsReader(Map.of(), StandardModules.optional())
        .read(file, null, file.resolveSibling(""));
  }

  @Override
  public Settings readWith(Path named, String content) throws SettingsException {
    return new SettingsReader(Map.of(), StandardModules.optional())
        .readWith(named, content, null, file.resolveSibling(""));
  }

  @Override
  public HostFiles hostFiles() {
    return HostFiles.in(file.resolveSibling(""));
  }
}
