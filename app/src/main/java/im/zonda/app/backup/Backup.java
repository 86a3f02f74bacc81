package im.zonda.app.backup;

import im.zonda.app.backup.BackupPlan.ServerData;
import im.zonda.app.backup.Manifest.Entry;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.status.Version;
import im.zonda.file.folder.FolderContents;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.BackupListener.Unit;
import im.zonda.storage.sql.DatabaseBackup;
import im.zonda.storage.sql.DatabaseStatus;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes and verifies backups. A server may run on the data meanwhile.
///
/// The contents of uploaded files follow the database: those that it names are there already and
/// never change. One that is removed in between is missing in the backup, as it is on the server.
public final class Backup {
  static final String DATABASE = "zonda.db";
  static final String UPLOADS = "uploads";
  static final String ACME = "acme";

  /// The folder of the configuration in a backup.
  public static final String CONFIG = "config";

  /// Files of the data folder that a server cannot replace.
  static final List<String> DATA_FILES = List.of("secret", "self-signed.crt", "self-signed.key");

  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

  /// Answers to an authority, valid for minutes.
  private static final String CHALLENGES = "challenges";

  private final BackupPlan plan;
  private final Path folder;
  private final BackupListener listener;
  private final List<Entry> files = new ArrayList<>();
  private long uploads;
  private long uploadBytes;
  private long missing;

  /// What was written.
  ///
  /// @param folder the folder of the backup
  /// @param manifest its manifest
  /// @param removed older backups that were removed
  public record Result(Path folder, Manifest manifest, List<Path> removed) {
    /// Copies the list.
    public Result {
      removed = List.copyOf(removed);
    }
  }

  private Backup(BackupPlan plan, Path folder, BackupListener listener) {
    this.plan = plan;
    this.folder = folder;
    this.listener = listener;
  }

  /// Writes a backup with all that was acknowledged before the call, and removes what an
  /// interrupted one has left. Blocks; an interrupt ends it.
  ///
  /// @param listener an exception that it throws ends the backup
  /// @throws IOException if a file cannot be read or written, or another backup is being written in
  ///   the same folder; nothing is left of this one
  /// @throws StoreException if the database cannot be read, or the disk is full; as above
  public static Result write(BackupPlan plan, BackupListener listener) throws IOException {
    Path target = DurableFiles.createFolder(plan.target().toAbsolutePath().normalize());
    try (FileChannel _ = Backups.lock(target)) {
      Backups.removeUnfinished(target);
      Instant begin = plan.clock().instant().truncatedTo(ChronoUnit.MILLIS);
      Path done = Backups.free(target, begin);
      Path unfinished =
          DurableFiles.createFolder(target.resolve(done.getFileName() + Backups.UNFINISHED));
      Manifest manifest;
      try {
        manifest = new Backup(plan, unfinished, listener).write(begin);
        Files.move(unfinished, done, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        remove(unfinished, e);
        throw isFull(e) ? new IOException("the disk of " + target + " is full", e) : e;
      } catch (RuntimeException e) {
        remove(unfinished, e);
        throw e;
      }
      DurableFiles.force(target);
      List<Path> removed = plan.keep() == 0 ? List.of() : Backups.removeOldest(target, plan.keep());
      LOG.atInfo()
          .addKeyValue("folder", done)
          .addKeyValue("bytes", manifest.bytes())
          .addKeyValue("removed", removed.size())
          .log("backup_written");
      return new Result(done, manifest, removed);
    }
  }

  /// The exceptions of a full disk have no type of their own.
  private static boolean isFull(IOException failure) {
    return String.valueOf(failure.getMessage()).contains("No space left");
  }

  private static void remove(Path unfinished, Exception cause) {
    try {
      DurableFiles.removeAll(unfinished);
    } catch (IOException e) {
      cause.addSuppressed(e); // the next backup removes it
    }
  }

  /// Verifies a backup: all hashes, the structure of the database, and its counts. Blocks.
  ///
  /// @return the problems that were found; empty if it is whole
  public static Verification verify(Path backup, InstantSource clock, BackupListener listener) {
    Verification verification = new BackupCheck(backup, listener).run();
    Backups.recordVerified(backup, verification.isWhole(), clock.instant());
    return verification;
  }

  private Manifest write(Instant begin) throws IOException {
    ServerData server = plan.server();
    Path database = folder.resolve(DATABASE);
    new DatabaseBackup(server.data(), server.storage()).write(database, listener);
    DatabaseStatus status = DatabaseBackup.read(database);
    files.add(new Entry(DATABASE, Files.size(database), DurableFiles.hash(database)));
    copyUploads(database);
    for (String name : DATA_FILES) {
      copy(server.data().resolve(name), name);
    }
    copyAll(server.acme(), ACME);
    Path config = plan.configFile();
    if (config != null) {
      copy(config, CONFIG + "/" + config.getFileName());
    }
    copyAll(plan.hostFiles().folder(), CONFIG + "/" + HostFiles.NAME);
    Manifest manifest =
        new Manifest(
            Version.current(),
            status.schema(),
            begin,
            server.storage().toString(),
            status.counts(),
            new Manifest.Uploads(uploads, uploadBytes, missing),
            files);
    manifest.write(folder);
    DurableFiles.forceAll(folder);
    return manifest;
  }

  private void copyUploads(Path database) throws IOException {
    long[] all = {0};
    DatabaseBackup.uploads(database, (hash, size) -> all[0]++);
    Path target = folder.resolve(UPLOADS);
    DatabaseBackup.uploads(
        database,
        (hash, size) -> {
          copyUpload(FolderContents.file(target, hash), hash);
          listener.advanced(Stage.FILES, uploads + missing, all[0], Unit.FILES);
        });
  }

  private void copyUpload(Path file, String hash) throws IOException {
    Path fan = file.getParent();
    if (fan != null) {
      DurableFiles.createFolder(fan);
    }
    try {
      DurableFiles.linkOrCopy(FolderContents.file(plan.server().uploads(), hash), file);
      uploads++;
      uploadBytes += Files.size(file);
    } catch (NoSuchFileException e) {
      LOG.atWarn().addKeyValue("hash", hash).setCause(e).log("backup_upload_missing");
      missing++;
    }
  }

  /// Copies a file if it exists.
  private void copy(Path file, String path) throws IOException {
    if (Files.isRegularFile(file)) {
      Path target = folder.resolve(path);
      String hash = DurableFiles.copy(file, target);
      files.add(new Entry(path, Files.size(target), hash));
    }
  }

  /// Copies the files of a folder, and those of the folders in it.
  private void copyAll(Path from, String path) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(from)) {
      all = found.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : all) {
      Path relative = from.relativize(file);
      if (!relative.startsWith(CHALLENGES)) {
        copy(file, path + "/" + relative.toString().replace('\\', '/'));
      }
    }
  }
}
