package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.config.annotation.Setting;
import im.zonda.config.limits.HostLimits;
import im.zonda.config.limits.Limits;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// The tree is tidy. The lists of exceptions only shrink: an exception that is not needed fails the
/// test, too.
@TestInstance(Lifecycle.PER_CLASS)
class TidyTest {
  /// A file, function, constructor or package that may be larger.
  ///
  /// @param lines its lines, parameters or files
  /// @param reason why
  private record Longer(int lines, String reason) {}

  private static final Map<String, Longer> LONG_FILES = Map.of();

  private static final Map<String, Longer> LONG_FUNCTIONS =
      Map.of(
          "protocol/src/test/java/im/zonda/jid/JidTest.java#row70_addressesArePreparedOrRefused",
          new Longer(92, "one table of addresses"));

  /// Packages that are larger for now. Each is to be split by noun; a package that has become small
  /// must leave the list.
  private static final Map<String, Longer> LARGE_PACKAGES =
      Map.ofEntries(larger("app/src/test/java/im/zonda/app/abuse", 29));

  /// Constructors with more parameters, by file and type.
  private static final Map<String, Longer> WIDE_CONSTRUCTORS =
      Map.of(
          "testkit/src/main/java/im/zonda/testkit/noloss/Sender.java#Sender",
          new Longer(7, "to be split"));

  private static Map.Entry<String, Longer> larger(String name, int size) {
    return Map.entry(name, new Longer(size, "to be split"));
  }

  private final Map<String, Integer> longFunctions = new TreeMap<>();
  private final Map<String, Integer> wideConstructors = new TreeMap<>();

  @BeforeAll
  void readSources() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : SourceTree.java()) {
      texts.put(file.toString(), SourceTree.read(file));
    }
    Tidiness.tooLarge(texts)
        .forEach((file, found) -> {
          found.longFunctions().forEach((name, n) -> longFunctions.put(file + "#" + name, n));
          found.wideConstructors().forEach((name, n) -> wideConstructors.put(file + "#" + name, n));
        });
  }

  /// Modules that answer by HTTP only, which scenarios do not speak.
  private static final Set<String> HTTP_ONLY = Set.of("export", "hostmeta");

  @Test
  void packagesAreSmall() throws IOException {
    assertOnlyNamed(Tidiness.largePackages(SourceTree.java()), LARGE_PACKAGES);
  }

  @Test
  void constructorsTakeFewParameters() {
    assertOnlyNamed(wideConstructors, WIDE_CONSTRUCTORS);
  }

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
  void functionsAreShort() {
    assertOnlyNamed(longFunctions, LONG_FUNCTIONS);
  }

  private static void assertOnlyNamed(Map<String, Integer> found, Map<String, Longer> named) {
    List<String> problems = new ArrayList<>();
    found.forEach((name, lines) -> {
      Longer exception = named.get(name);
      if (exception == null || lines > exception.lines()) {
        problems.add(name + " is too large: " + lines);
      }
    });
    named.forEach((name, exception) -> {
      if (!found.containsKey(name)) {
        problems.add(name + " is small now: take it off the list");
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

  /// Pages of Markdown whose wording is checked, by the beginning of their paths.
  private static final List<String> CHECKED_PAGES =
      List.of("docs/", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md");

  @Test
  void commentsAreInPlainWords() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : SourceTree.texts()) {
      String name = file.toString();
      if (name.endsWith(".java")) {
        problems.addAll(Tidiness.ticsOfComments(name, SourceTree.read(file)));
        if (name.contains("/src/main/")) {
          problems.addAll(Tidiness.questions(name, SourceTree.read(file)));
        }
      } else if (name.endsWith(".md")
          && CHECKED_PAGES.stream().anyMatch(name::startsWith)
          && !name.startsWith("docs/decisions/")) { // a record keeps its words
        problems.addAll(Tidiness.ticsOfPage(name, SourceTree.read(file)));
      }
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
      // The scenarios of a module are in one folder, also if the module has sub-packages.
      String word = inner.substring("im/zonda/module/".length()).split("/", -1)[0];
      String folder = "im/zonda/module/" + word;
      if (!HTTP_ONLY.contains(word)
          && !hasScenario(root.resolve("modules/src/test/scenarios").resolve(folder))) {
        problems.add(name + " has no scenario");
      }
    }
    assertThat(problems).isEmpty();
  }

  private static boolean hasScenario(Path folder) throws IOException {
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
    // The limits of a host are described by those of the server with the same names.
    Class<?> described = record.equals(HostLimits.class) ? Limits.class : record;
    for (RecordComponent component : record.getRecordComponents()) {
      Setting setting =
          Arrays.stream(described.getRecordComponents())
              .filter(each -> each.getName().equals(component.getName()))
              .findFirst()
              .map(each -> each.getAnnotation(Setting.class))
              .orElse(null);
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
  void ticsAreFound() {
    String planted =
        """
        ### A session was made
        ### again. It is not as
        ### it was before.
        ###
        ### A stanza so long that it is
        ### not kept any more.
        class A {
          int a = 1; ## put back here
          String b = "nobody is told"; ## told apart from "c"

          ### Restores `many` sessions; a session cannot be told from
          ### another one. Kept for any more entries, known to the others.
          void ok() {}

          ## Owed, dealt with, and gone on without.
          void bad() {}
        }
        """
            .replace('#', '/');
    assertThat(Tidiness.ticsOfComments("x", planted))
        .extracting(problem -> problem.substring(0, problem.indexOf(": say")))
        .containsExactlyInAnyOrder(
            "x:1: \"made again\"",
            "x:1: \"as it was\"",
            "x:5: \"any more\"",
            "x:8: \"put back\"",
            "x:15: \"Owed\"",
            "x:15: \"dealt\"",
            "x:15: \"gone on without\"");
    assertThat(Tidiness.ticsOfPage("x.md", "# A page\n\nWhoever\nreads it.\n"))
        .containsExactly("x.md:3: \"Whoever\": say 'anyone', or name the one");
  }

  @Test
  void questionsAreFound() {
    String planted =
        """
        ### What a session has.
        ###
        ### Who reads it.
        class A {
          ### What it is.
          int a;
        }
        """;
    assertThat(Tidiness.questions("x", planted.replace('#', '/')))
        .containsExactly("x: \"What a session has.\": begin with what it is or does");
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
    assertThat(Tidiness.tooLarge("A.java", planted).longFunctions()).isEqualTo(Map.of("bad", 63));
  }

  @Test
  void wideConstructorsAreFound() throws IOException {
    String seven = "(int a, int b, int c, int d, int e, int f, int g)";
    String planted =
        "class A {\n  A(int a, int b) {}\n  void f"
            + seven
            + " {}\n  record R"
            + seven
            + " {\n    R"
            + seven
            + " {}\n  }\n  static class B {\n    B"
            + seven
            + " {}\n  }\n}\n";
    assertThat(Tidiness.tooLarge("A.java", planted).wideConstructors()).isEqualTo(Map.of("B", 7));
  }

  @Test
  void largePackagesAreFound() {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      files.add(Path.of("m/large/T" + i + ".java"));
      files.add(Path.of("m/large/inner" + i + "/T.java"));
    }
    assertThat(Tidiness.largePackages(files)).isEqualTo(Map.of("m/large", 25));
  }
}
