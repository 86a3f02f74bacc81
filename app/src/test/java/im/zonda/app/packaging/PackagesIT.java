package im.zonda.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The packages of the product itself.
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class PackagesIT {
  private static final Path PRODUCT = Path.of("target", "zonda").toAbsolutePath();
  private static final Path TABLE = Packaging.SCRIPTS.resolve("components.tsv");

  @TempDir private Path folder;

  /// A copy of the product. The folder `repository` is added if this build has not made it yet: it
  /// comes from the module plugin-tests, which is built after these tests.
  private Packaging packaging() throws IOException, InterruptedException {
    Path product = folder.resolve("product");
    if (Files.notExists(product)) {
      Packaging.Result copied =
          Packaging.run(Map.of(), List.of("cp", "-R", PRODUCT.toString(), product.toString()));
      assertThat(copied.code()).as(copied.said()).isZero();
      Files.createDirectories(product.resolve("repository"));
    }
    return new Packaging(product, folder);
  }

  /// Fails when a jar that is shipped has no known licence, or the table names one that is not.
  @Test
  void everyComponentHasALicence() throws Exception {
    Path packages = packaging().make("packages", "archive", "sbom");
    String list = Files.readString(Packaging.file(packages, ".cdx.json"));
    List<?> components = (List<?>) JsonReader.object(list).get("components");
    assertThat(components).hasSize(jars().size());
    List<String> artifacts = new ArrayList<>();
    for (String line : Files.readAllLines(TABLE)) {
      if (!line.startsWith("#") && !line.startsWith("+")) {
        artifacts.add(line.split("\t", -1)[1]);
      }
    }
    assertThat(artifacts)
        .allSatisfy(artifact ->
            assertThat(jars()).anyMatch(jar -> jar.matches(artifact + "(-\\d.*)?\\.jar")));
    List<String> names = Packaging.listed(Packaging.file(packages, ".tar.gz"));
    for (String jar : jars()) {
      assertThat(names).as(jar).anyMatch(each -> each.endsWith("/" + jar));
    }
  }

  private static Set<String> jars() throws IOException {
    Set<String> jars = new TreeSet<>(Packaging.names(PRODUCT.resolve("lib")));
    jars.addAll(Packaging.names(PRODUCT.resolve("plugins")));
    return jars;
  }

  /// The modules of the package's Java are those that the jars name, and those that the list gives
  /// a reason for.
  @Test
  void theJavaOfThePackagesHasTheModulesThatTheJarsName() throws Exception {
    Set<String> listed;
    try (Stream<String> lines = Files.lines(Packaging.SCRIPTS.resolve("modules"))) {
      listed =
          lines
              .map(each -> each.replaceFirst("\\s*#.*", ""))
              .filter(each -> !each.isEmpty())
              .collect(Collectors.toCollection(TreeSet::new));
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "jdeps").toString(),
                "--ignore-missing-deps",
                "--multi-release",
                "25",
                "--list-deps"));
    try (Stream<Path> jars = Files.list(PRODUCT.resolve("lib"))) {
      jars.filter(each -> String.valueOf(each.getFileName()).startsWith("zonda-"))
          .sorted()
          .forEach(each -> command.add(each.toString()));
    }
    Packaging.Result result = Packaging.run(Map.of(), command);
    Set<String> named =
        result
            .said()
            .lines()
            .map(String::strip)
            .map(each -> each.replaceFirst("/.*", ""))
            .filter(each -> each.matches("(java|jdk)\\.[a-z.]+"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).as(result.said()).contains("java.base", "jdk.jfr");
    assertThat(listed).containsAll(named);
  }

  /// Two minutes: with `./zonda test --all`.
  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  void packagesWithAJavaOfTheirOwnAreTheSameEachTimeAndRun() throws Exception {
    List<String> kinds = new ArrayList<>(List.of("runtime", "image"));
    if (Packaging.has("dpkg-deb")) {
      kinds.add("debian");
    }
    Path first = packaging().make("first", kinds.toArray(String[]::new));
    Path second = packaging().make("second", kinds.toArray(String[]::new));
    Packaging.assertSame(first, second);

    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    Path archive = Packaging.file(first, ".tar.gz");
    run(Map.of(), "tar", "-xzf", archive.toString(), "-C", unpacked.toString());
    Path top = unpacked.resolve(Packaging.names(unpacked).getFirst());
    Packaging.Result version =
        Packaging.run(
            Map.of("ZONDA_JAVA", "", "JAVA_HOME", "", "ZONDA_OFFLINE", "yes"),
            List.of(top.resolve("zonda").toString(), "version"));
    assertThat(version.code()).as(version.said()).isZero();
    assertThat(version.said()).startsWith("zonda ").contains(" (commit ", "\njava 25");
    if (kinds.contains("debian")) {
      assertThePackageFitsItsUnit(Packaging.file(first, ".deb"));
    }
  }

  private void assertThePackageFitsItsUnit(Path file) throws Exception {
    Path tree = folder.resolve("debian");
    run(Map.of(), "dpkg-deb", "-R", file.toString(), tree.toString());
    String unit = Files.readString(tree.resolve("usr/lib/systemd/system/zonda.service"));
    assertThat(unit).startsWith("[Unit]\n").contains("\nExecStart=/usr/lib/zonda/zonda --offline ");
    assertThat(Files.isExecutable(tree.resolve("usr/lib/zonda/zonda"))).isTrue();
    assertThat(Files.isExecutable(tree.resolve("usr/lib/zonda/runtime/bin/java"))).isTrue();
    assertThat(tree.resolve("DEBIAN/conffiles")).hasContent("/etc/zonda/zonda.toml\n");
    assertThat(tree.resolve("etc/zonda/zonda.toml")).exists();
    assertThat(Packaging.names(tree.resolve("usr/share/man/man1"))).contains("zonda.1.gz");
    assertThat(tree.resolve("usr/share/bash-completion/completions/zonda")).isNotEmptyFile();
    assertThat(tree.resolve("usr/share/doc/zonda/licenses/java")).isDirectory();
    assumeTrue(Packaging.has("lintian"), "lintian is not installed");
    run(Map.of(), "lintian", "--fail-on", "error,warning", "--allow-root", file.toString());
  }

  private static void run(Map<String, String> variables, String... command) throws Exception {
    Packaging.Result result = Packaging.run(variables, List.of(command));
    assertThat(result.code()).as(String.join(" ", command) + "\n" + result.said()).isZero();
  }
}
