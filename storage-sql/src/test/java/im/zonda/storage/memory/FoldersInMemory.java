package im.zonda.storage.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/// Makes the folders of tests (`@TempDir`) in memory where the machine has room there: on a disk,
/// each commit of SQLite waits. The proof is the same, because a test kills processes, not the
/// machine, and what a process has written to a file system in memory outlives it too.
/// `junit-platform.properties` names this class.
public final class FoldersInMemory implements TempDirFactory {
  /// The file system in memory that Linux has.
  private static final Path MEMORY = Path.of("/dev/shm");

  /// What must be free there, in bytes: several processes run tests at once.
  private static final long ROOM = 2L << 30;

  private static final String PREFIX = "zonda-test";

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return hasRoom()
        ? Files.createTempDirectory(MEMORY, PREFIX)
        : Files.createTempDirectory(PREFIX);
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
  }
}
