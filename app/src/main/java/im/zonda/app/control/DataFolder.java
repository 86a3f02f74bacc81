package im.zonda.app.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// A data folder that this process, and no other, uses until it is closed.
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "zonda.lock";
  private static final int MAX_PID_BYTES = 32;

  private final Path path;
  private final FileChannel channel;

  private DataFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Takes the folder, which is made if there is none (for its owner alone).
  ///
  /// @return the folder, or null if another process has it
  /// @throws IOException if the folder cannot be used
  public static @Nullable DataFolder take(Path path) throws IOException {
    make(path);
    FileChannel channel =
        FileChannel.open(
            path.resolve(LOCK),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      // The system lets go of the lock when the process ends, however it ends.
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        return null;
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      return new DataFolder(path, channel);
    } catch (OverlappingFileLockException e) {
      channel.close();
      return null;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// The process that has taken the folder, as it wrote down; `"unknown"` if that cannot be read.
  public static String owner(Path path) {
    try (FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(MAX_PID_BYTES);
      channel.read(buffer);
      String pid = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
      return pid.isBlank() ? "unknown" : pid.strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /// Where it is.
  public Path path() {
    return path;
  }

  private static void make(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (posix) {
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectory(path);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
