package im.zonda.app;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The project's own files: all that is kept, nothing that is built.
public final class SourceTree {
  private static final Set<String> BUILT =
      Set.of("target", ".git", ".build", ".jdk", "data", "data-demo", ".idea");
  private static final Set<String> KINDS =
      Set.of("java", "md", "xml", "toml", "sql", "xmpp", "options", "config", "yml", "properties");

  private SourceTree() {}

  /// The project's root.
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("the tests do not run within the source tree");
      }
      folder = parent;
    }
    return folder;
  }

  /// All text files, relative to the root, in order.
  public static List<Path> texts() throws IOException {
    Path root = root();
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            Path name = folder.getFileName();
            boolean built = !folder.equals(root) && name != null && BUILT.contains(name.toString());
            // A package may be called target.
            return built && !root.relativize(folder).toString().matches(".*src/(main|test)/java.*")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            Path relative = root.relativize(file);
            String name = relative.toString();
            if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1))
                || Set.of("zonda", ".ci/run").contains(name)) {
              files.add(relative);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  /// The Java files.
  public static List<Path> java() throws IOException {
    return texts().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /// A file's text.
  public static String read(Path relative) throws IOException {
    return Files.readString(root().resolve(relative));
  }
}
