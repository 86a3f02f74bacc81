package im.zonda.app.backup;

import im.zonda.app.settings.HostFiles;
import im.zonda.config.ServerConfig;
import im.zonda.config.Storage;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// A description of a backup to write.
///
/// @param server the data of the server
/// @param configFile the configuration file, or null if there is none
/// @param hostFiles the files of single hosts
/// @param target the folder in which the backup is written, beside others; created if there is none
/// @param keep how many backups stay in it: the oldest others are removed. 0 for all
/// @param clock the time
public record BackupPlan(
    ServerData server,
    @Nullable Path configFile,
    HostFiles hostFiles,
    Path target,
    int keep,
    InstantSource clock) {
  /// @throws IllegalArgumentException if the number is negative
  public BackupPlan {
    if (keep < 0) {
      throw new IllegalArgumentException("the number of backups to keep must not be negative");
    }
  }

  /// Where a server has its data.
  ///
  /// @param data the data folder
  /// @param storage the database
  /// @param uploads the folder of the contents of uploaded files
  /// @param acme the folder of the certificates from an authority
  public record ServerData(Path data, Storage storage, Path uploads, Path acme) {
    /// The data of a configuration.
    public static ServerData of(ServerConfig config) {
      Path files = config.storage().files();
      return new ServerData(
          config.data(),
          config.storage(),
          files == null ? config.data().resolve("uploads") : files,
          config.acme().folder(config.data()));
    }
  }
}
