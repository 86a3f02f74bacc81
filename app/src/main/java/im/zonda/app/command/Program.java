package im.zonda.app.command;

import im.zonda.app.federation.DomainCheck;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.config.ServerConfig;
import im.zonda.store.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;

/// The servers, edges and stores that the commands start and open.
///
/// @param server runs a server
/// @param edge runs an edge
/// @param openStores opens the stores of a configuration; the data folder must be taken
/// @param stopped opens what runs operations while no server runs
/// @param checks what a check of a remote domain uses
/// @param optionalModules the names of the modules that can be switched off
/// @param commands further commands of the command line, by their classes
/// @param operations adds the commands of operations, where there is none of that name
public record Program(
    Server server,
    Edge edge,
    Function<ServerConfig, Stores> openStores,
    Stopped stopped,
    Checks checks,
    Set<String> optionalModules,
    List<Class<?>> commands,
    Consumer<CommandLine> operations) {
  /// Copies the collections.
  public Program {
    optionalModules = Set.copyOf(optionalModules);
    commands = List.copyOf(commands);
  }

  /// Opens what runs operations while no server runs.
  public interface Stopped {
    /// Opens it. The data folder is taken until it is closed.
    ///
    /// @param files the files of single hosts
    /// @throws IOException if another process uses the folder, or the stores cannot be opened
    OperationRunner open(ServerConfig config, HostFiles files) throws IOException;
  }

  /// Opens what a check of a remote domain uses.
  public interface Checks {
    /// Opens it.
    ///
    /// @param running whether the server of this configuration runs
    /// @throws IOException if a certificate cannot be used
    DomainCheck.Parts open(ServerConfig config, boolean running) throws IOException;
  }

  /// Runs an edge.
  public interface Edge {
    /// Runs an edge until the process ends.
    ///
    /// @param config its configuration file
    /// @return the exit code of the process
    /// @throws Exception if the edge cannot start
    int run(Path config, PrintWriter out) throws Exception;
  }

  /// Runs a server.
  public interface Server {
    /// Runs a server until the process ends, or until it is ready if `exitWhenReady`.
    ///
    /// @return the exit code of the process
    /// @throws Exception if the server cannot start
    int run(ConfigOptions options, boolean exitWhenReady, PrintWriter out) throws Exception;
  }
}
