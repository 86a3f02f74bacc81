package im.zonda.app.backup;

import im.zonda.hash.HashFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files and folders that only their owner may read, and that are on the disk when a call returns.
final class DurableFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DurableFiles.class);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String UNFINISHED = ".unfinished";

  private DurableFiles() {}

  /// Creates a folder, and those that it is in, unless it exists.
  static Path createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return folder;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolder(parent);
    }
    return isPosix(folder)
        ? Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
        : Files.createDirectory(folder);
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /// Creates a file, or replaces one: another process sees all of it or none.
  static void write(Path file, byte[] content) throws IOException {
    Path unfinished = create(file);
    Files.write(unfinished, content);
    finish(unfinished, file);
  }

  /// Copies a file, also over another one.
  ///
  /// @return the SHA-256 of what was written, in hexadecimal digits
  static String copy(Path source, Path target) throws IOException {
    Path parent = target.toAbsolutePath().getParent();
    if (parent != null) {
      createFolder(parent);
    }
    Path unfinished = create(target);
    MessageDigest digest = HashFunction.SHA_256.begin();
    try (InputStream in = Files.newInputStream(source);
        OutputStream out = Files.newOutputStream(unfinished)) {
      transfer(in, digest, out);
    }
    finish(unfinished, target);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Path create(Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.deleteIfExists(unfinished);
    return isPosix(file)
        ? Files.createFile(
            unfinished,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
        : Files.createFile(unfinished);
  }

  private static void finish(Path unfinished, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// The SHA-256 of a file, in hexadecimal digits.
  static String hash(Path file) throws IOException {
    MessageDigest digest = HashFunction.SHA_256.begin();
    try (InputStream in = Files.newInputStream(file)) {
      transfer(in, digest, null);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void transfer(InputStream in, MessageDigest digest, @Nullable OutputStream out)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
      if (out != null) {
        out.write(buffer, 0, read);
      }
    }
  }

  /// Makes a file that never changes available under another name, without a copy of its content
  /// where the file system allows that.
  ///
  /// @throws NoSuchFileException if there is no such file
  static void linkOrCopy(Path source, Path target) throws IOException {
    try {
      Files.createLink(target, source);
    } catch (UnsupportedOperationException | IOException e) {
      if (Files.notExists(source)) {
        throw new NoSuchFileException(source.toString());
      }
      LOG.atTrace().setCause(e).log("file_not_linked"); // on another disk, for example
      String _ = copy(source, target);
    }
  }

  /// A name in a folder is durable when the folder has been forced.
  static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Forces a folder and all those in it.
  static void forceAll(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure)
              throws IOException {
            force(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /// Removes a folder with all that is in it; does not follow links.
  static void removeAll(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
