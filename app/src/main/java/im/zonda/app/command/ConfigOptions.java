package im.zonda.app.command;

import im.zonda.app.control.ApiClient;
import im.zonda.app.control.DataFolder;
import im.zonda.app.control.FolderTakenException;
import im.zonda.app.federation.DomainCheck;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.storage.sql.DatabaseMaintenance;
import im.zonda.store.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options `--config` and `--data` of all commands that read the configuration.
public final class ConfigOptions {
  /// A starting server or another command may lock the data folder for a moment.
  private static final int ATTEMPTS = 25;

  private static final long PAUSE_MILLIS = 200;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = {
        "Configuration file (default: the one that the variable ZONDA_CONFIG names, or zonda.toml in"
            + " the current folder, if it exists)."
      })
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
    return config == null ? SettingsReader.usual(System.getenv(), currentFolder()) : config;
  }

  /// Reads the configuration.
  ///
  /// @throws SettingsException with all errors
  public Settings read() throws SettingsException {
    return new SettingsReader(System.getenv(), program.optionalModules())
        .read(file(), data, currentFolder());
  }

  /// Reads the configuration as it would be with that content of its file.
  ///
  /// @throws SettingsException with all errors
  public Settings readWith(Path file, String content) throws SettingsException {
    return new SettingsReader(System.getenv(), program.optionalModules())
        .readWith(file, content, data, currentFolder());
  }

  /// The files of single hosts.
  public HostFiles hostFiles() {
    return HostFiles.in(SettingsReader.folderOf(file(), currentFolder()));
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

  /// What runs operations: the server that uses the data folder, or, if there is none, this process
  /// on its stores.
  ///
  /// @throws IllegalArgumentException if there is no data folder
  /// @throws FolderTakenException if another process uses the folder and does not answer
  /// @throws IOException also if this user may not ask the server
  public OperationRunner openOperations(ServerConfig configuration) throws IOException {
    OperationRunner server = findServer(configuration);
    if (server != null) {
      return server;
    }
    checkDataFolder(configuration);
    return openStopped(configuration);
  }

  /// The same; creates the data folder if there is none.
  ///
  /// @param err gets a line about a new folder: the server may use another one
  public OperationRunner openOrCreateOperations(ServerConfig configuration, PrintWriter err)
      throws IOException {
    OperationRunner server = findServer(configuration);
    if (server != null) {
      return server;
    }
    if (!Files.isDirectory(configuration.data())) {
      err.println("zonda: creating the data folder " + configuration.data());
    }
    return openStopped(configuration);
  }

  private static @Nullable OperationRunner findServer(ServerConfig configuration)
      throws IOException {
    ApiClient client = new ApiClient(configuration.data());
    try {
      return client.isAnswered() ? new RunningServerRunner(client) : null;
    } catch (AccessDeniedException e) {
      throw ApiClient.mayNotAsk(e);
    }
  }

  private OperationRunner openStopped(ServerConfig configuration) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return program.stopped().open(configuration, hostFiles());
      } catch (FolderTakenException e) {
        OperationRunner server = findServer(configuration); // it may have started meanwhile
        if (server != null) {
          return server;
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }
  }

  /// What runs operations of the server that uses the data folder.
  public OperationRunner runningServer(ServerConfig configuration) {
    return new RunningServerRunner(new ApiClient(configuration.data()));
  }

  /// Whether a server uses the data folder and answers.
  ///
  /// @throws AccessDeniedException if this user may not ask it
  public boolean isServerRunning(ServerConfig configuration) throws AccessDeniedException {
    return new ApiClient(configuration.data()).isAnswered();
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

  /// Runs the server.
  int runServer(boolean exitWhenReady, PrintWriter out) throws Exception {
    return program.server().run(this, exitWhenReady, out);
  }

  private static Path currentFolder() {
    return Path.of("").toAbsolutePath();
  }
}
