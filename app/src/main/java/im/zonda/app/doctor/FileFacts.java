package im.zonda.app.doctor;

import im.zonda.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// A file or folder that others must not read, and who may.
///
/// @param permissions its permissions; null if the filesystem has none
/// @param isReachable whether others may enter all folders above it
record FileFacts(
    Path path,
    boolean isFolder,
    @Nullable Set<PosixFilePermission> permissions,
    boolean isReachable) {
  /// The data folder, and the files with keys and passwords, as far as they exist.
  static List<FileFacts> of(ServerConfig config) {
    Set<Path> paths = new LinkedHashSet<>();
    paths.add(config.data());
    paths.add(config.data().resolve("secret"));
    paths.add(config.data().resolve("self-signed.key"));
    if (config.storage().url().startsWith("sqlite:")) {
      paths.add(config.data().resolve(config.storage().url().substring("sqlite:".length())));
    }
    if (config.acme().isOn()) {
      paths.add(config.acme().folder(config.data()));
    }
    add(paths, config.tls().key());
    config.hosts().forEach(host -> add(paths, config.at(host).tls().key()));
    add(paths, config.edges().key());
    add(paths, config.cluster().tls().key());
    List<FileFacts> facts = new ArrayList<>();
    for (Path each : paths) {
      if (Files.exists(each)) {
        facts.add(read(each));
      }
    }
    return facts;
  }

  private static void add(Set<Path> paths, @Nullable Path path) {
    if (path != null) {
      paths.add(path);
    }
  }

  /// What is known of a file that exists.
  static FileFacts read(Path path) {
    Set<PosixFilePermission> permissions = permissions(path);
    boolean reachable = true;
    Path parent = path.toAbsolutePath().getParent();
    while (parent != null && reachable) {
      Set<PosixFilePermission> above = permissions(parent);
      reachable = above == null || above.contains(PosixFilePermission.OTHERS_EXECUTE);
      parent = parent.getParent();
    }
    return new FileFacts(path, Files.isDirectory(path), permissions, reachable);
  }

  private static @Nullable Set<PosixFilePermission> permissions(Path path) {
    try {
      return Files.getPosixFilePermissions(path.toRealPath());
    } catch (IOException | UnsupportedOperationException e) {
      LoggerFactory.getLogger(FileFacts.class).atDebug().setCause(e).log("permissions_not_read");
      return null;
    }
  }
}
