package im.zonda.app.backup;

import im.zonda.file.folder.FolderContents;
import im.zonda.runtime.FailureText;
import im.zonda.storage.sql.BackupListener;
import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.BackupListener.Unit;
import im.zonda.storage.sql.DatabaseBackup;
import im.zonda.storage.sql.DatabaseStatus;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Verifies a backup. Used once.
final class BackupCheck {
  private static final int MAX_PROBLEMS = 20;

  private final Path folder;
  private final BackupListener listener;
  private final List<String> problems = new ArrayList<>();
  private long bytes;
  private long found;
  private long missing;
  private @Nullable String firstMissing;

  BackupCheck(Path folder, BackupListener listener) {
    this.folder = folder;
    this.listener = listener;
  }

  Verification run() {
    Manifest manifest = null;
    try {
      if (!Manifest.isUnchanged(folder)) {
        problem(Manifest.FILE + " is damaged: its SHA-256 is not that in " + Manifest.HASH_FILE);
      }
      manifest = Manifest.read(folder);
      check(manifest);
    } catch (NoSuchFileException e) {
      problem(name(Path.of(e.getFile())) + " is missing");
    } catch (IOException e) {
      problem(FailureText.of(e));
    } catch (StoreException e) {
      problem(String.valueOf(e.getMessage()));
    }
    return new Verification(folder, manifest, problems);
  }

  private void problem(String text) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(text);
    }
  }

  private String name(Path file) {
    return file.startsWith(folder) ? folder.relativize(file).toString() : file.toString();
  }

  private void check(Manifest manifest) throws IOException {
    long all = manifest.bytes();
    boolean isWhole = true;
    for (Manifest.Entry each : manifest.files()) {
      boolean ok = check(each.path(), each.bytes(), each.sha256(), all);
      isWhole &= ok || !each.path().equals(Backup.DATABASE);
    }
    if (isWhole) { // otherwise anything may be in it
      checkDatabase(manifest);
      checkUploads(manifest, all);
    }
  }

  /// Whether the file is there with that content.
  private boolean check(String path, long size, String hash, long all) throws IOException {
    Path file = folder.resolve(path);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      problem(path + " is missing");
      return false;
    }
    long actual = Files.size(file);
    if (actual != size) {
      problem(path + " is damaged: it has " + actual + " bytes instead of " + size);
      return false;
    }
    boolean same = DurableFiles.hash(file).equals(hash);
    if (!same) {
      problem(path + " is damaged: its content is not that of the backup");
    }
    bytes += size;
    listener.advanced(Stage.CHECK, bytes, all, Unit.BYTES);
    return same;
  }

  private void checkDatabase(Manifest manifest) {
    Path database = folder.resolve(Backup.DATABASE);
    DatabaseBackup.check(database);
    DatabaseStatus status = DatabaseBackup.read(database);
    if (status.schema() != manifest.schema() || !status.counts().equals(manifest.counts())) {
      problem(
          Backup.DATABASE
              + " has schema "
              + status.schema()
              + " and "
              + status.counts()
              + " instead of schema "
              + manifest.schema()
              + " and "
              + manifest.counts());
    }
  }

  /// The name of a content is its hash.
  private void checkUploads(Manifest manifest, long all) throws IOException {
    Path uploads = folder.resolve(Backup.UPLOADS);
    DatabaseBackup.uploads(
        folder.resolve(Backup.DATABASE),
        (hash, size) -> {
          Path file = FolderContents.file(uploads, hash);
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            found++;
            boolean _ = check(name(file), size, hash, all);
          } else {
            missing++;
            firstMissing = firstMissing == null ? name(file) : firstMissing;
          }
        });
    Manifest.Uploads expected = manifest.uploads();
    if (found < expected.files()) {
      problem(
          "uploads are missing: "
              + (expected.files() - found)
              + (firstMissing == null ? "" : ", such as " + firstMissing));
    }
  }
}
