package im.zonda.app;

import im.zonda.app.control.ApiClient;
import im.zonda.app.operation.AuditOperations;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/// Whole servers in this process, from a configuration file.
public final class RunningServers {
  private RunningServers() {}

  /// A server.
  ///
  /// @param process may start it again
  /// @param operations asks it at its control socket
  public record One(ServerProcess process, OperationRunner operations) implements AutoCloseable {
    /// What it has recorded.
    public String audit() throws IOException {
      return operations.ask(AuditOperations.LIST, Map.of()).toString();
    }

    /// The server that runs at present.
    public RunningServer running() {
      return Objects.requireNonNull(process.running());
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /// Starts one.
  public static One start(Path file) throws Exception {
    ConfigFile source = new ConfigFile(file);
    ServerProcess process = new ServerProcess(source, code -> {});
    ServerConfig config = source.read().config();
    RunningServer _ = process.start(config);
    return new One(process, new RunningServerRunner(new ApiClient(config.data())));
  }
}
