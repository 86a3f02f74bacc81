package im.zonda.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The product that the launcher builds has the classes that are tested, byte for byte. Skipped if
/// it is not built, or from other sources.
class TwoBuildsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theProductHasTheClassesThatAreTested() throws IOException {
    List<String> different = new ArrayList<>();
    int compared = 0;
    for (Path module : modules()) {
      Path product = module.resolve("target/product/classes");
      Path tested = module.resolve("target/classes");
      assumeTrue(isCurrent(module, product), "the product is built from other sources");
      assumeTrue(isCurrent(module, tested), "what is tested is not compiled by Maven");
      List<Path> files = classes(product);
      assertThat(classes(tested)).containsExactlyElementsOf(files);
      for (Path file : files) {
        if (Files.mismatch(product.resolve(file), tested.resolve(file)) != -1) {
          different.add(file.toString());
        }
      }
      compared += files.size();
    }
    assumeTrue(compared > 0, "the product is not built");
    assertThat(different).isEmpty();
  }

  /// The modules of which the product has classes.
  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("target/product/classes")))
          .toList();
    }
  }

  /// Whether no source is younger than a class.
  private static boolean isCurrent(Path module, Path classes) throws IOException {
    return Files.isDirectory(classes)
        && times(module.resolve("src/main/java"), ".java").max(Long::compare).orElse(0L)
            <= times(classes, ".class").min(Long::compare).orElse(0L);
  }

  private static Stream<Long> times(Path folder, String ending) throws IOException {
    List<Long> times = new ArrayList<>();
    for (Path file : files(folder, ending)) {
      times.add(Files.getLastModifiedTime(folder.resolve(file)).toMillis());
    }
    return times.stream();
  }

  private static List<Path> classes(Path folder) throws IOException {
    return files(folder, ".class");
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending))
          .map(folder::relativize)
          .sorted()
          .toList();
    }
  }
}
