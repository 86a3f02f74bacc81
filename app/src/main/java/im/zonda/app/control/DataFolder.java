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

/// The data folder of a server, locked for this process until it is closed.
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "zonda.lock";
  private static final int MAX_PID_BYTES = 32;

  private final Path path;
  private final FileChannel channel;

  private DataFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Locks the folder. Creates it if it does not exist, accessible to its owner only.
  ///
  /// @return the folder, or null if another process uses it
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
      // The operating system releases the lock when the process ends, also after a crash.
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

  /// The id of the process that uses the folder; `"unknown"` if it cannot be read.
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

  /// The path.
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
