package im.zonda.app.hosts;

import im.zonda.app.settings.toml.Utf8File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Former contents of the configuration file, in a folder of the data folder: those that were
/// replaced by operations, the last [#MOST] of them. Only the user of the process reads them.
///
/// @param folder where they are; need not exist
record ConfigHistory(Path folder) {
  /// The most versions that are kept.
  static final int MOST = 50;

  private static final String ENDING = ".toml";
  private static final Pattern NAME = Pattern.compile("[0-9]{10,15}");
  private static final Set<PosixFilePermission> PRIVATE =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /// A former content.
  ///
  /// @param name its name, by which they are in order of time
  /// @param time until when it was in the file
  /// @param caller the administrator who has replaced the content
  /// @param change by what
  record Version(String name, Instant time, String caller, String change) {}

  /// The history of a data folder.
  static ConfigHistory in(Path data) {
    return new ConfigHistory(data.resolve("config-history"));
  }

  /// Keeps a content that is replaced now.
  void keep(String content, Instant now, String caller, String change) throws IOException {
    Files.createDirectories(folder);
    List<String> names = names();
    long last = names.isEmpty() ? 0 : Long.parseLong(names.getFirst());
    String name = String.format(Locale.ROOT, "%013d", Math.max(now.toEpochMilli(), last + 1));
    String first = "# " + now + "\t" + oneLine(caller) + "\t" + oneLine(change) + "\n";
    write(folder.resolve(name + ENDING), first + content, true);
    for (String old : names.subList(Math.min(names.size(), MOST - 1), names.size())) {
      Files.deleteIfExists(folder.resolve(old + ENDING));
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}]+", " ");
  }

  /// Replaces a file; another process sees all of it or none.
  ///
  /// @param fresh whether only the user of the process reads a file that did not exist
  static void write(Path file, String content, boolean fresh) throws IOException {
    Path other = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(other);
    boolean exists = Files.exists(file);
    boolean posix = Files.getFileStore(folderOf(file)).supportsFileAttributeView("posix");
    if (posix && (exists || fresh)) {
      Set<PosixFilePermission> wanted = exists ? Files.getPosixFilePermissions(file) : PRIVATE;
      Files.createFile(other, PosixFilePermissions.asFileAttribute(PRIVATE));
      Files.writeString(other, content, StandardCharsets.UTF_8);
      Files.setPosixFilePermissions(other, wanted);
    } else {
      Files.writeString(other, content, StandardCharsets.UTF_8);
    }
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path folderOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /// The names of all, the newest first.
  private List<String> names() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .filter(name -> NAME.matcher(name).matches())
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  /// The versions that are kept, the newest first.
  ///
  /// @param after the name of the last one that is known; null to begin
  /// @param limit the most
  List<Version> list(@Nullable String after, int limit) throws IOException {
    List<Version> found = new ArrayList<>();
    for (String name : names()) {
      if (found.size() < limit && (after == null || name.compareTo(after) < 0)) {
        String[] parts = firstLine(name).split("\t", 3);
        found.add(
            new Version(
                name,
                time(name, parts[0]),
                parts.length > 1 ? parts[1] : "",
                parts.length > 2 ? parts[2] : ""));
      }
    }
    return found;
  }

  private static Instant time(String name, String first) {
    try {
      return Instant.parse(first.substring(2));
    } catch (DateTimeException | StringIndexOutOfBoundsException e) {
      return Instant.ofEpochMilli(Long.parseLong(name)); // someone has changed the file
    }
  }

  private String firstLine(String name) throws IOException {
    return Utf8File.read(folder.resolve(name + ENDING)).lines().findFirst().orElse("");
  }

  /// The content of a version; null if it is not kept.
  @Nullable String content(String name) throws IOException {
    Path file = folder.resolve(name + ENDING);
    if (!NAME.matcher(name).matches() || !Files.exists(file)) {
      return null;
    }
    String text = Utf8File.read(file);
    return text.substring(text.indexOf('\n') + 1);
  }
}
