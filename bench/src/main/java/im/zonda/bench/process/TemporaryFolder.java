package im.zonda.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Folder of a server under load, which goes when the server is stopped, and with this virtual
/// machine at the latest.
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Runnable atEnd = this::delete;

  /// Makes one. Other users may look into it: a database may run as a user of its own.
  public TemporaryFolder() throws IOException {
    path = Files.createTempDirectory("zonda-bench-");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    AtEnd.add(atEnd);
  }

  public Path path() {
    return path;
  }

  /// Writes a file.
  public Path write(String name, String text) throws IOException {
    return Files.writeString(path.resolve(name), text);
  }

  private void delete() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("zonda: " + path + " could not be deleted: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    delete();
    AtEnd.remove(atEnd);
  }
}
