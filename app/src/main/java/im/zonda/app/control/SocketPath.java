package im.zonda.app.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The address of the control socket of a data folder.
///
/// Operating systems limit the path of a socket to about 100 bytes. For a longer path the address
/// goes through a symbolic link, which exists only as long as this object.
final class SocketPath implements AutoCloseable {
  /// The name of the socket in the data folder.
  static final String NAME = "control";

  private static final int MAX_BYTES = 100;

  private final Path path;
  private final boolean throughLink;

  private SocketPath(Path path, boolean throughLink) {
    this.path = path;
    this.throughLink = throughLink;
  }

  static SocketPath in(Path folder) throws IOException {
    Path direct = folder.toAbsolutePath().resolve(NAME);
    if (direct.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
      return new SocketPath(direct, false);
    }
    Path link = Files.createTempDirectory("zonda").resolve("d");
    Files.createSymbolicLink(link, folder.toAbsolutePath());
    return new SocketPath(link.resolve(NAME), true);
  }

  UnixDomainSocketAddress address() {
    return UnixDomainSocketAddress.of(path);
  }

  @Override
  public void close() throws IOException {
    Path link = path.getParent();
    if (throughLink && link != null) {
      Files.deleteIfExists(link);
      Path parent = link.getParent();
      if (parent != null) {
        Files.deleteIfExists(parent);
      }
    }
  }
}
