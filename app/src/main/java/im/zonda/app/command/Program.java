package im.zonda.app.command;

import im.zonda.config.ServerConfig;
import im.zonda.store.Stores;
import java.io.PrintWriter;
import java.util.Set;
import java.util.function.Function;

/// What the commands start and open.
///
/// @param server runs a server
/// @param openStores opens the stores of a configuration; the data folder must be taken
/// @param optionalModules the names of the modules that can be switched off
public record Program(
    Server server, Function<ServerConfig, Stores> openStores, Set<String> optionalModules) {
  /// Runs a server.
  public interface Server {
    /// Runs a server until the process ends, or until it is ready if `exitWhenReady`.
    ///
    /// @return the exit code of the process
    /// @throws Exception if the server cannot start
    int run(ConfigOptions options, boolean exitWhenReady, PrintWriter out) throws Exception;
  }
}
