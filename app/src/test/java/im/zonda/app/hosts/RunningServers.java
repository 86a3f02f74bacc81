package im.zonda.app.hosts;

import im.zonda.app.RunningServer;
import im.zonda.app.ServerProcess;
import im.zonda.app.control.ApiClient;
import im.zonda.app.operation.AuditOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// Whole servers in this process, from a configuration file.
public final class RunningServers {
  private RunningServers() {}

  /// A server.
  ///
  /// @param process ends it
  /// @param running the server
  /// @param operations asks it at its control socket
  public record One(ServerProcess process, RunningServer running, OperationRunner operations)
      implements AutoCloseable {
    /// The audit of the server.
    public String audit() throws IOException {
      return operations.ask(AuditOperations.LIST, Map.of()).toString();
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /// Starts one.
  public static One start(Path file) throws Exception {
    Source source = new Source(file);
    ServerProcess process = new ServerProcess(source, code -> {});
    ServerConfig config = source.read().config();
    RunningServer running = process.start(config);
    return new One(process, running, new RunningServerRunner(new ApiClient(config.data())));
  }

  /// A file without environment variables and options.
  private record Source(Path file) implements ConfigSource {
    @Override
    public Settings read() throws SettingsException {
      return new SettingsReader(Map.of(), Set.of()).read(file, null, file.resolveSibling(""));
    }

    @Override
    public Settings readWith(Path named, String content) throws SettingsException {
      return new SettingsReader(Map.of(), Set.of())
          .readWith(named, content, null, file.resolveSibling(""));
    }

    @Override
    public HostFiles hostFiles() {
      return HostFiles.in(file.resolveSibling(""));
    }
  }
}
