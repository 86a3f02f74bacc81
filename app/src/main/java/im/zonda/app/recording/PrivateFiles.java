package im.zonda.app.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Files and folders that only their owner may read.
final class PrivateFiles {
  private static final FileAttribute<?>[] NONE = {};

  private PrivateFiles() {}

  /// Creates a folder unless it exists.
  static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, only(folder, "rwx------"));
  }

  /// Creates an empty file in place of another one.
  static Path create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.createFile(file, only(file, "rw-------"));
  }

  private static FileAttribute<?>[] only(Path path, String permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : NONE;
  }
}
