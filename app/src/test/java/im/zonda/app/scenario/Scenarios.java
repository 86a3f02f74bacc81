package im.zonda.app.scenario;

import im.zonda.testkit.scenario.Scenario;
import im.zonda.testkit.scenario.ScenarioParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The scenario files of all modules; with `-Dscenario=word` only those whose path holds the word.
final class Scenarios {
  private static final Path FOLDER = Path.of("../modules/src/test/scenarios");

  private Scenarios() {}

  /// All of them, by name; fails if there are none.
  static List<Path> all() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      String word = System.getProperty("scenario", "");
      List<Path> found =
          files
              .filter(f -> f.toString().endsWith(".xmpp") && f.toString().contains(word))
              .sorted()
              .toList();
      if (found.isEmpty()) {
        throw new AssertionError("no scenario in " + FOLDER.toAbsolutePath());
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Scenario read(Path file) {
    try {
      return ScenarioParser.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The name of a test.
  static String name(Path file) {
    return FOLDER.relativize(file).toString();
  }
}
