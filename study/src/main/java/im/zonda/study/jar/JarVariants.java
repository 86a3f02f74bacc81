package im.zonda.study.jar;

import im.zonda.json.JsonText;
import im.zonda.study.cell.Jars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the variants of the jars, each once, and keeps them in a folder.
public final class JarVariants {
  /// Beside the jars of a variant: what became of each.
  public static final String TABLE = "jars.json";

  private static final String ERROR = "error.txt";

  private final Path library;
  private final Path folder;
  private final ProGuard proguard;

  /// @param library the jars of the product
  /// @param folder where variants are kept
  /// @param java the folder of the JDK
  /// @param tools ProGuard and its libraries
  public JarVariants(Path library, Path folder, Path java, List<Path> tools) {
    this.library = library;
    this.folder = folder;
    this.proguard = new ProGuard(java, tools, folder);
  }

  /// The folder of a variant, made if it is not there.
  ///
  /// @throws IOException if it cannot be made, with the reason
  public Path make(Jars variant) throws IOException {
    Path made = folder.resolve(variant.folder());
    if (Files.isDirectory(made)) {
      return made;
    }
    Path failed = folder.resolve(variant.folder() + "." + ERROR);
    if (Files.exists(failed)) {
      throw new IOException(Files.readString(failed).strip());
    }
    Path unfinished = folder.resolve(variant.folder() + ".unfinished");
    delete(unfinished);
    Files.createDirectories(unfinished);
    try {
      List<JarRow> rows = make(variant, unfinished);
      Files.writeString(
          unfinished.resolve(TABLE), JsonText.indented(rows.stream().map(JarRow::json).toList()));
    } catch (IOException e) {
      Files.writeString(failed, String.valueOf(e.getMessage()));
      throw e;
    }
    return Files.move(unfinished, made);
  }

  private List<JarRow> make(Jars variant, Path to) throws IOException {
    List<Path> plain = variant == Jars.PLAIN ? List.of() : jars(make(Jars.PLAIN));
    return switch (variant) {
      case PLAIN -> copy(to);
      case STRIPPED -> strip(plain, plain, to);
      case NO_DEBUG -> {
        List<Path> own = plain.stream().filter(JarVariants::isOwn).toList();
        copyOthers(plain, own, to);
        yield strip(plain, own, to);
      }
      case OPTIMISED, SHRUNK, NAMES ->
          proguard(variant, plain, plain.stream().filter(JarVariants::isOwn).toList(), to);
      case DRIVER ->
          proguard(variant, plain, plain.stream().filter(JarVariants::isDriver).toList(), to);
    };
  }

  private static boolean isOwn(Path jar) {
    return jar.getFileName().toString().startsWith("zonda-");
  }

  private static boolean isDriver(Path jar) {
    return jar.getFileName().toString().startsWith("postgresql-");
  }

  private List<JarRow> copy(Path to) throws IOException {
    List<JarRow> rows = new ArrayList<>();
    for (Path jar : jars(library)) {
      Path copy = to.resolve(jar.getFileName());
      Files.copy(jar, copy, StandardCopyOption.COPY_ATTRIBUTES);
      rows.add(JarRow.of(jar, copy, -1, 0, 0));
    }
    PageJar.write(to);
    return rows;
  }

  private static List<JarRow> strip(List<Path> all, List<Path> changed, Path to)
      throws IOException {
    List<JarRow> rows = new ArrayList<>();
    try (JarStripper stripper = new JarStripper(all)) {
      for (Path jar : changed) {
        rows.add(stripper.strip(jar, to.resolve(jar.getFileName())));
      }
    }
    return rows;
  }

  private List<JarRow> proguard(Jars variant, List<Path> all, List<Path> changed, Path to)
      throws IOException {
    long begin = System.nanoTime();
    List<Path> others = copyOthers(all, changed, to);
    proguard.run(variant, changed, others, to);
    double seconds = (System.nanoTime() - begin) / 1e9;
    List<JarRow> rows = new ArrayList<>();
    for (Path jar : changed) {
      Path after = to.resolve(jar.getFileName());
      long size = Files.exists(after) ? Files.size(after) : 0;
      rows.add(new JarRow(jar.getFileName().toString(), Files.size(jar), size, -1, 0, Double.NaN));
    }
    long before = rows.stream().mapToLong(JarRow::before).sum();
    long after = rows.stream().mapToLong(JarRow::after).sum();
    rows.add(new JarRow("together", before, after, -1, 0, seconds));
    return rows;
  }

  private static List<Path> copyOthers(List<Path> all, List<Path> changed, Path to)
      throws IOException {
    List<Path> others = all.stream().filter(jar -> !changed.contains(jar)).toList();
    for (Path jar : others) {
      Files.copy(jar, to.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
    return others;
  }

  /// The jars of a folder, in the order in which the launcher puts them on the class path.
  public static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static void delete(@Nullable Path folder) throws IOException {
    if (folder == null || !Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
