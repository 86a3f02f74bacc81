package im.zonda.app.command;

import im.zonda.app.control.ApiClient;
import im.zonda.app.control.ControlClient;
import im.zonda.app.control.DataFolder;
import im.zonda.app.control.FolderTakenException;
import im.zonda.app.federation.DomainCheck;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsException;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.users.OpenAccounts;
import im.zonda.config.ServerConfig;
import im.zonda.runtime.FailureText;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.store.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/// The options `--config` and `--data` of all commands that read the configuration.
public final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Configuration file (default: zonda.toml in the current folder, if it exists).")
  private @Nullable Path config;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DIR",
      description = "Data folder (default: the key data of the configuration).")
  private @Nullable Path data;

  private final Program program;

  /// Options set by picocli.
  ConfigOptions(Program program) {
    this.program = program;
  }

  /// The options with these values.
  ConfigOptions(Program program, @Nullable Path config, @Nullable Path data) {
    this.program = program;
    this.config = config;
    this.data = data;
  }

  /// Options of the same program with other values.
  ConfigOptions of(Path newConfig, Path newData) {
    return new ConfigOptions(program, newConfig, newData);
  }

  /// The configuration file; null if there is none.
  public @Nullable Path file() {
    return config == null ? SettingsReader.usual(currentFolder()) : config;
  }

  /// Reads the configuration.
  ///
  /// @throws SettingsException with all errors
  public Settings read() throws SettingsException {
    return new SettingsReader(System.getenv(), program.optionalModules())
        .read(file(), data, currentFolder());
  }

  /// The files of single hosts.
  public HostFiles hostFiles() {
    return HostFiles.in(SettingsReader.folderOf(file(), currentFolder()));
  }

  /// Opens the accounts of the data folder: those of the running server, if there is one.
  ///
  /// @throws IllegalArgumentException if there is no data folder
  OpenAccounts openAccounts(ServerConfig configuration) throws IOException {
    checkDataFolder(configuration);
    return OpenAccounts.of(configuration, program.openStores());
  }

  private static void checkDataFolder(ServerConfig configuration) {
    if (!Files.isDirectory(configuration.data())) {
      throw new IllegalArgumentException(
          "the data folder "
              + configuration.data()
              + " does not exist; name the server's data folder with --data, or its configuration"
              + " file with --config");
    }
  }

  /// Opens the accounts of the data folder, which is created if there is none.
  ///
  /// @param err gets a line about a new folder: the server may use another one
  OpenAccounts openOrCreateAccounts(ServerConfig configuration, PrintWriter err)
      throws IOException {
    if (!Files.isDirectory(configuration.data())) {
      err.println("zonda: creating the data folder " + configuration.data());
    }
    return OpenAccounts.of(configuration, program.openStores());
  }

  /// Runs a command in the server that uses the data folder.
  ///
  /// @return the text to print
  /// @throws IOException if no server is running there, or the command failed
  /// @throws IllegalArgumentException if the arguments are wrong
  public String runInServer(ServerConfig configuration, String command, List<String> arguments)
      throws IOException {
    try (ControlClient client = connect(configuration.data())) {
      return client.run(command, arguments);
    }
  }

  /// Runs a command in the server that uses the data folder; if there is none, a task with the
  /// stores that does the same.
  ///
  /// @return the text to print
  /// @throws IOException if the command failed, or this user may not ask the server
  /// @throws IllegalArgumentException if the arguments are wrong
  public String runAnywhere(
      ServerConfig configuration,
      String command,
      List<String> arguments,
      Function<Stores, String> withoutServer)
      throws IOException {
    return isServerRunning(configuration)
        ? runInServer(configuration, command, arguments)
        : withStores(configuration, withoutServer);
  }

  /// What runs operations: the server that uses the data folder, or, if there is none, this process
  /// on its stores.
  ///
  /// @throws IllegalArgumentException if there is no data folder
  /// @throws FolderTakenException if another process uses the folder and does not answer
  public OperationRunner openOperations(ServerConfig configuration) throws IOException {
    ApiClient client = new ApiClient(configuration.data());
    if (client.isAnswered()) {
      return new RunningServerRunner(client);
    }
    checkDataFolder(configuration);
    return program.stopped().open(configuration);
  }

  /// What runs operations of the server that uses the data folder.
  OperationRunner runningServer(ServerConfig configuration) {
    return new RunningServerRunner(new ApiClient(configuration.data()));
  }

  /// Whether a server uses the data folder and answers.
  ///
  /// @throws AccessDeniedException if this user may not ask it
  public boolean isServerRunning(ServerConfig configuration) throws AccessDeniedException {
    try {
      ControlClient.connect(configuration.data()).close();
      return true;
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      LoggerFactory.getLogger(ConfigOptions.class).atDebug().setCause(e).log("no_server_found");
      return false;
    }
  }

  /// Opens what a check of a remote domain uses.
  DomainCheck.Parts openCheck(ServerConfig configuration) throws IOException {
    checkDataFolder(configuration);
    return program.checks().open(configuration, isServerRunning(configuration));
  }

  /// Runs a task with the stores of the data folder, which no server may use.
  ///
  /// @throws FolderTakenException if another process uses the folder
  public <T> T withStores(ServerConfig configuration, Function<Stores, T> task) throws IOException {
    try (DataFolder _ = takeFolder(configuration.data());
        Stores stores = program.openStores().apply(configuration)) {
      return task.apply(stores);
    }
  }

  /// Runs a task with the database of the configuration, which no server may use.
  ///
  /// @throws FolderTakenException if another process uses the data folder
  /// @throws IllegalArgumentException if there is no data folder
  <T> T withDatabase(ServerConfig configuration, Function<DatabaseMaintenance, T> task)
      throws IOException {
    checkDataFolder(configuration);
    try (DataFolder _ = takeFolder(configuration.data())) {
      return task.apply(new DatabaseMaintenance(configuration.data(), configuration.storage()));
    }
  }

  private static DataFolder takeFolder(Path data) throws IOException {
    DataFolder folder = DataFolder.take(data);
    if (folder == null) {
      throw new FolderTakenException(data, DataFolder.owner(data));
    }
    return folder;
  }

  private static ControlClient connect(Path folder) throws IOException {
    try {
      return ControlClient.connect(folder);
    } catch (AccessDeniedException e) {
      throw new IOException(
          FailureText.of(e) + "; run the command as root or as the user that runs the server", e);
    } catch (IOException e) {
      throw new IOException("no server is running with the data folder " + folder, e);
    }
  }

  /// Runs the server.
  int runServer(boolean exitWhenReady, PrintWriter out) throws Exception {
    return program.server().run(this, exitWhenReady, out);
  }

  private static Path currentFolder() {
    return Path.of("").toAbsolutePath();
  }
}
