package im.zonda.app.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No package has a larger knot of classes than those that there are; prints them as a table.
class KnotsTest {
  /// The most classes of a knot. It only shrinks.
  private static final int MOST = 17;

  private static final int SHOWN = 12;

  @Test
  void noKnotIsLargerThanTheLargest() throws IOException {
    JavaClasses product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("im.zonda");
    List<Knots.Knot> knots = Knots.largest(product);
    StringBuilder table =
        new StringBuilder("| package | classes in a knot | lines |\n|---|---|---|\n");
    for (Knots.Knot knot : knots.subList(0, Math.min(SHOWN, knots.size()))) {
      table
          .append(
              "| %s | %d | %d |".formatted(knot.packageName(), knot.classes().size(), lines(knot)))
          .append('\n');
    }
    System.out.println(table);
    assertThat(knots.getFirst().classes()).hasSizeLessThanOrEqualTo(MOST);
  }

  @Test
  void aPlantedKnotIsFound() {
    JavaClasses planted = new ClassFileImporter().importPackages("planted.jid.knot");
    assertThat(Knots.largest(planted))
        .containsExactly(new Knots.Knot("planted.jid.knot", Set.of("First", "Second")));
  }

  private static long lines(Knots.Knot knot) throws IOException {
    String folder = "src/main/java/" + knot.packageName().replace('.', '/');
    long lines = 0;
    try (Stream<Path> modules = Files.list(Path.of("..").toAbsolutePath().normalize())) {
      for (Path module : modules.toList()) {
        for (String name : knot.classes()) {
          lines += count(module.resolve(folder).resolve(name + ".java"));
        }
      }
    }
    return lines;
  }

  private static long count(Path file) {
    try (Stream<String> text = Files.exists(file) ? Files.lines(file) : Stream.empty()) {
      return text.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
