package im.zonda.app.backup;

import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.control.DataFolder;
import im.zonda.app.control.FolderTakenException;
import im.zonda.file.folder.FolderContents;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.BackupListener.Unit;
import im.zonda.storage.sql.DatabaseBackup;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Restores a backup for a stopped server: into an empty data folder, and an empty database if that
/// is on a server. The configuration in force is not changed; that of the backup can be written
/// into a folder of its own.
///
/// The database is the last to appear. A restoration that has ended in the middle leaves a mark,
/// and is begun again by the next call.
public final class Restore {
  private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
  private static final String MARK = "restore.unfinished";

  /// What processes leave in a data folder that has no data.
  private static final Set<String> IGNORED = Set.of("zonda.lock", "native", "control");

  private final Path backup;
  private final ServerData server;
  private final BackupListener listener;
  private long uploads;

  private Restore(Path backup, ServerData server, BackupListener listener) {
    this.backup = backup;
    this.server = server;
    this.listener = listener;
  }

  /// Fails if a restoration into a data folder has not ended: what is there is a part of a backup.
  ///
  /// @throws IOException with a message for the administrator
  public static void checkEnded(Path data) throws IOException {
    if (Files.exists(data.resolve(MARK))) {
      throw new IOException(
          "a backup was being restored into "
              + data
              + " and that has not ended; run `zonda restore` again");
    }
  }

  /// Verifies a backup and restores it. Blocks; an interrupt ends it.
  ///
  /// @param backup the folder of the backup; not changed
  /// @param config where the configuration of the backup is written; null for nowhere
  /// @return what the backup has
  /// @throws IOException if the backup has a problem, or the data folder is not empty or in use, or
  ///   the folder of the configuration has something else; nothing is changed then. Also if a file
  ///   cannot be written
  /// @throws StoreException if the database is not empty or cannot be used
  public static Manifest into(
      ServerData server, Path backup, @Nullable Path config, BackupListener listener)
      throws IOException {
    Verification verification = new BackupCheck(backup, listener).run();
    if (!verification.isWhole()) {
      throw new IOException(
          backup + " cannot be restored: " + String.join("; ", verification.problems()));
    }
    try (DataFolder taken = DataFolder.take(server.data())) {
      if (taken == null) {
        throw new FolderTakenException(server.data(), DataFolder.owner(server.data()));
      }
      Manifest manifest = Objects.requireNonNull(verification.manifest());
      Restore restore = new Restore(backup, server, listener);
      if (config != null) {
        restore.checkConfiguration(manifest, config);
      }
      restore.begin();
      if (config != null) {
        restore.writeConfiguration(manifest, config);
      }
      restore.run(manifest);
      LOG.atInfo()
          .addKeyValue("backup", backup)
          .addKeyValue("data", server.data())
          .log("backup_restored");
      return manifest;
    }
  }

  private void begin() throws IOException {
    Path mark = server.data().resolve(MARK);
    if (Files.notExists(mark)) {
      checkEmpty();
      DurableFiles.write(mark, (backup + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<Path> configuration(Manifest manifest) {
    return manifest.files().stream()
        .map(each -> Path.of(each.path()))
        .filter(path -> path.startsWith(Backup.CONFIG))
        .toList();
  }

  /// Only files of the same restoration, begun before, may be in the folder.
  private void checkConfiguration(Manifest manifest, Path folder) throws IOException {
    List<Path> own = configuration(manifest);
    if (own.isEmpty()) {
      throw new IOException(backup + " has no configuration");
    }
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(each -> !Files.isDirectory(each)).toList()) {
        Path path = Path.of(Backup.CONFIG).resolve(folder.relativize(file));
        if (!own.contains(path) || Files.mismatch(file, backup.resolve(path)) >= 0) {
          throw new IOException(
              folder + " is not empty (it has " + file.getFileName() + "); nothing was changed");
        }
      }
    }
  }

  private void writeConfiguration(Manifest manifest, Path folder) throws IOException {
    for (Path path : configuration(manifest)) {
      Path target = folder.resolve(Path.of(Backup.CONFIG).relativize(path));
      if (Files.notExists(target)) {
        String _ = DurableFiles.copy(backup.resolve(path), target);
      }
    }
  }

  private void run(Manifest manifest) throws IOException {
    restoreUploads(manifest);
    for (Manifest.Entry each : manifest.files()) {
      Path file = backup.resolve(each.path());
      if (Backup.DATA_FILES.contains(each.path())) {
        String _ = DurableFiles.copy(file, server.data().resolve(each.path()));
      } else if (each.path().startsWith(Backup.ACME + "/")) {
        Path relative = backup.resolve(Backup.ACME).relativize(file);
        String _ = DurableFiles.copy(file, server.acme().resolve(relative.toString()));
      }
    }
    new DatabaseBackup(server.data(), server.storage())
        .restore(backup.resolve(Backup.DATABASE), listener);
    DurableFiles.force(server.data());
    Files.delete(server.data().resolve(MARK));
  }

  private void checkEmpty() throws IOException {
    checkEmpty(server.data());
    if (!server.acme().startsWith(server.data())) {
      checkEmpty(server.acme());
    }
  }

  private static void checkEmpty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> all = Files.list(folder)) {
      List<String> found =
          all.map(each -> each.getFileName().toString())
              .filter(name -> !IGNORED.contains(name))
              .sorted()
              .toList();
      if (!found.isEmpty()) {
        throw new IOException(
            folder
                + " is not empty (it has "
                + String.join(", ", found.subList(0, Math.min(3, found.size())))
                + "); move it away, or name another data folder. It was not changed");
      }
    }
  }

  private void restoreUploads(Manifest manifest) throws IOException {
    Path from = backup.resolve(Backup.UPLOADS);
    long all = manifest.uploads().files();
    DatabaseBackup.uploads(
        backup.resolve(Backup.DATABASE),
        (hash, size) -> {
          Path target = FolderContents.file(server.uploads(), hash);
          if (Files.notExists(target)) {
            restoreUpload(FolderContents.file(from, hash), target);
          }
          listener.advanced(Stage.FILES, ++uploads, Math.max(all, uploads), Unit.FILES);
        });
    if (Files.isDirectory(server.uploads())) {
      DurableFiles.forceAll(server.uploads());
    }
  }

  private static void restoreUpload(Path source, Path target) throws IOException {
    Path fan = target.getParent();
    if (fan != null) {
      DurableFiles.createFolder(fan);
    }
    try {
      DurableFiles.linkOrCopy(source, target);
    } catch (NoSuchFileException e) {
      LOG.atDebug().addKeyValue("file", source).setCause(e).log("backup_upload_missing");
    }
  }
}
