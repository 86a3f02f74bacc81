package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.config.Setting;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The tree is tidy. The lists of exceptions only ever shrink: one that is no longer needed fails
/// the test, too.
class TidyTest {
  /// A file or function that may be longer.
  ///
  /// @param lines how long it may be
  /// @param reason why
  private record Longer(int lines, String reason) {}

  /// The folder of a module is directly below this one; its sub-packages are below it.
  private static final String MODULES = "im/zonda/module";

  private static final Map<String, Longer> LONG_FILES = Map.of();

  private static final Map<String, Longer> LONG_FUNCTIONS =
      Map.of(
          "protocol/src/test/java/im/zonda/jid/JidTest.java#row70_addressesArePreparedOrRefused",
          new Longer(92, "one table of addresses"));

  @Test
  void filesAreShort() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    for (Path file : SourceTree.java()) {
      int lines = Tidiness.lines(SourceTree.read(file));
      if (lines > Tidiness.FILE_LINES) {
        found.put(file.toString(), lines);
      }
    }
    assertOnlyNamed(found, LONG_FILES);
  }

  @Test
  void functionsAreShort() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    for (Path file : SourceTree.java()) {
      Tidiness.longFunctions(file.toString(), SourceTree.read(file))
          .forEach((name, lines) -> found.put(file + "#" + name, lines));
    }
    assertOnlyNamed(found, LONG_FUNCTIONS);
  }

  private static void assertOnlyNamed(Map<String, Integer> found, Map<String, Longer> named) {
    List<String> problems = new ArrayList<>();
    found.forEach((name, lines) -> {
      Longer exception = named.get(name);
      if (exception == null || lines > exception.lines()) {
        problems.add(name + " has " + lines + " lines");
      }
    });
    named.forEach((name, exception) -> {
      if (!found.containsKey(name)) {
        problems.add(name + " is short now: take it off the list");
      }
    });
    assertThat(problems).isEmpty();
  }

  @Test
  void nothingIsLeftToDoAndNothingNamesAMachine() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : SourceTree.texts()) {
      problems.addAll(Tidiness.bannedWords(file.toString(), SourceTree.read(file)));
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void everyExtensionHasATestAndAScenario() throws IOException {
    List<String> problems = new ArrayList<>();
    Path root = SourceTree.root();
    for (Path file : SourceTree.java()) {
      String name = file.toString();
      if (!name.startsWith("modules/src/main/java/")
          || !SourceTree.read(file).contains("\n@Xep(")) {
        continue;
      }
      String inner = name.substring("modules/src/main/java/".length(), name.length() - 5);
      if (!Files.exists(root.resolve("modules/src/test/java/" + inner + "Test.java"))) {
        problems.add(name + " has no test");
      }
      if (!hasScenario(
          root.resolve("modules/src/test/scenarios"), inner.substring(0, inner.lastIndexOf('/')))) {
        problems.add(name + " has no scenario");
      }
    }
    assertThat(problems).isEmpty();
  }

  /// Whether a package has a scenario, in its own folder or in that of the module it belongs to.
  private static boolean hasScenario(Path scenarios, String packageFolder) throws IOException {
    String folder = packageFolder;
    while (!folder.equals(MODULES)) {
      if (holdsScenario(scenarios.resolve(folder))) {
        return true;
      }
      folder = folder.substring(0, folder.lastIndexOf('/'));
    }
    return false;
  }

  private static boolean holdsScenario(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.toString().endsWith(".xmpp"));
    }
  }

  @Test
  void everySettingIsDocumented() {
    List<String> problems = new ArrayList<>();
    undocumented(ServerConfig.class, problems);
    undocumented(ServerConfig.Host.class, problems);
    assertThat(problems).isEmpty();
  }

  private static void undocumented(Class<?> record, List<String> problems) {
    for (RecordComponent component : record.getRecordComponents()) {
      Setting setting = component.getAnnotation(Setting.class);
      if (setting == null || setting.value().isBlank()) {
        problems.add(record.getSimpleName() + "." + component.getName());
      }
      if (component.getType().isRecord()
          && component.getType().getPackage() == ServerConfig.class.getPackage()) {
        undocumented(component.getType(), problems);
      }
    }
  }

  @Test
  void bannedWordsAreFound() {
    String planted =
        "fine\n// TO"
            + "DO later\n// TO"
            + "DO(#7) later\ncp x /tm"
            + "p/y\nFIX"
            + "ME\n"
            + "https://repo1.ma"
            + "ven.org/x\n a.tm"
            + "p/b\n";
    assertThat(Tidiness.bannedWords("x", planted))
        .extracting(problem -> problem.substring(0, 4))
        .containsExactlyInAnyOrder("x:2:", "x:4:", "x:5:", "x:6:");
  }

  @Test
  void longFunctionsAreFound() throws IOException {
    String body = "    int a = 1;\n".repeat(60);
    String planted =
        "class A {\n  void ok() {\n"
            + body.substring(0, 58 * 15)
            + "  }\n\n"
            + "  static class B {\n    A bad() {\n"
            + body
            + "      return null;\n    }\n  }\n}\n";
    assertThat(Tidiness.longFunctions("A.java", planted)).isEqualTo(Map.of("bad", 63));
  }
}
