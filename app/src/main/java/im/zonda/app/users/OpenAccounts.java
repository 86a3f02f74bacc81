package im.zonda.app.users;

import im.zonda.app.control.ControlClient;
import im.zonda.app.control.DataFolder;
import im.zonda.app.control.FolderTakenException;
import im.zonda.config.ServerConfig;
import im.zonda.store.AccountStore;
import im.zonda.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// The accounts of a data folder. Goes through the control socket if a server is running; otherwise
/// opens the store and locks the folder, so that no server starts meanwhile.
public final class OpenAccounts implements AutoCloseable {
  /// A starting server or another command may lock the folder for a moment.
  private static final int ATTEMPTS = 25;

  private static final long PAUSE_MILLIS = 200;

  private final AccountStore store;
  private final AutoCloseable[] resources;

  private OpenAccounts(AccountStore store, AutoCloseable... resources) {
    this.store = store;
    this.resources = resources;
  }

  /// Opens the accounts.
  ///
  /// @param opener opens the stores of a configuration
  /// @throws FolderTakenException if another process uses the folder and does not answer
  public static OpenAccounts of(ServerConfig config, Function<ServerConfig, Stores> opener)
      throws IOException {
    Path data = config.data();
    IOException silent = new FolderTakenException(data, "unknown");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      DataFolder folder = DataFolder.take(data);
      if (folder != null) {
        return direct(config, opener, folder);
      }
      try {
        ControlClient client = ControlClient.connect(data);
        return new OpenAccounts(client, client);
      } catch (IOException e) {
        silent = e;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }
    FolderTakenException taken = new FolderTakenException(data, DataFolder.owner(data));
    taken.addSuppressed(silent);
    throw taken;
  }

  private static OpenAccounts direct(
      ServerConfig config, Function<ServerConfig, Stores> opener, DataFolder folder)
      throws IOException {
    try {
      Stores stores = opener.apply(config);
      return new OpenAccounts(
          new UnreservedAccounts(stores, InstantSource.system(), stores.accounts()::remove),
          stores,
          folder);
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /// The accounts.
  public AccountStore store() {
    return store;
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable resource : resources) {
      try {
        resource.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
