package im.zonda.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Programs of the system.
public final class Programs {
  private static final List<String> MORE =
      List.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin");

  private Programs() {}

  /// Finds a program on the path, or where systems keep those of servers.
  public static Optional<Path> find(String name) {
    List<String> folders = new ArrayList<>();
    String path = System.getenv("PATH");
    if (path != null) {
      folders.addAll(List.of(path.split(":", -1)));
    }
    folders.addAll(MORE);
    return folders.stream()
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// A program.
  ///
  /// @throws IOException if it is not installed, with the Debian package that has it
  public static Path need(String name, String debianPackage) throws IOException {
    return find(name)
        .orElseThrow(() ->
            new IOException(
                name + " is not installed; Debian has it in the package " + debianPackage));
  }

  /// A program of PostgreSQL; Debian has several versions beside each other, of which the newest
  /// one is taken.
  public static Path postgresql(String name) throws IOException {
    Path versions = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(versions)) {
      try (Stream<Path> all = Files.list(versions)) {
        Optional<Path> newest =
            all.filter(each -> Files.isExecutable(each.resolve("bin").resolve(name)))
                .max(Comparator.comparingInt(Programs::version));
        if (newest.isPresent()) {
          return newest.get().resolve("bin").resolve(name);
        }
      }
    }
    return need(name, "postgresql");
  }

  private static int version(Path folder) {
    String name = String.valueOf(folder.getFileName()).replaceAll("\\..*", "");
    return name.matches("\\d{1,6}") ? Integer.parseInt(name) : 0;
  }

  /// Whether this process is that of the superuser, as whom databases do not run.
  public static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /// A command that runs as another user if this process is that of the superuser.
  public static List<String> as(String user, List<String> command) throws IOException {
    if (!isRoot()) {
      return command;
    }
    List<String> all =
        new ArrayList<>(
            List.of(
                need("setpriv", "util-linux").toString(),
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups"));
    all.addAll(command);
    return all;
  }
}
