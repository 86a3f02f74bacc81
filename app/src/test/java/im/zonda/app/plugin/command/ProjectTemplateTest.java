package im.zonda.app.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.settings.plugin.ManifestReader;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginPort;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The project that `zonda plugin new` writes. That it builds is proved by PluginProjectIT.
class ProjectTemplateTest {
  private static final Path HOME = Path.of("/opt/zonda & more");

  @TempDir private Path folder;

  private static ProjectTemplate of(String name) {
    return ProjectTemplate.of(name, null, "1.2.3", HOME);
  }

  @Test
  void aProjectHasAManifestAndTheClassThatItNames() throws Exception {
    Path project = folder.resolve("greeter");
    of("greeter").write(project);

    Path toml = project.resolve("src/main/resources/plugin.toml");
    PluginManifest manifest = ManifestReader.read(Files.readAllBytes(toml));
    assertThat(manifest.name()).isEqualTo("greeter");
    assertThat(manifest.api()).isEqualTo(Plugin.API);
    assertThat(manifest.ports()).containsExactly(PluginPort.MESSAGES);
    String source = "src/main/java/" + manifest.mainClass().replace('.', '/') + ".java";
    assertThat(project.resolve(source)).content().contains("class GreeterPlugin implements Plugin");
    assertThat(project.resolve("src/test/java/org/example/greeter"))
        .isDirectoryContaining("glob:**Test.java");
    for (Path file : new Path[] {toml, project.resolve(source), project.resolve("README.md")}) {
      assertThat(file).content().doesNotContain("@name@").doesNotContain("@package@");
    }
  }

  @Test
  void thePomNamesVersionAndFolderOfTheServer() throws Exception {
    Path project = folder.resolve("greeter");
    of("greeter").write(project);
    var pom =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(project.resolve("pom.xml").toFile());
    assertThat(pom.getElementsByTagName("zonda.version").item(0).getTextContent())
        .isEqualTo("1.2.3");
    assertThat(pom.getElementsByTagName("zonda.home").item(0).getTextContent())
        .isEqualTo(HOME.toString());
  }

  /// So that a machine that has built the server has them.
  @Test
  void theVersionsInThePomAreThoseOfTheServersOwnBuild() throws IOException {
    Path project = folder.resolve("greeter");
    of("greeter").write(project);
    Map<String, String> own = versions(Path.of("../pom.xml"));
    Map<String, String> written = versions(project.resolve("pom.xml"));
    assertThat(written).hasSize(6).containsEntry("maven-jar-plugin", own.get("maven-jar-plugin"));
    assertThat(own).containsAllEntriesOf(written);
  }

  /// The versions of Maven's plug-ins and of JUnit.
  private static Map<String, String> versions(Path pom) throws IOException {
    String text = Files.readString(pom);
    Map<String, String> properties = new HashMap<>();
    for (MatchResult each : matches("<([a-z.-]+)\\.version>([^<]+)<", text)) {
      properties.put("${" + each.group(1) + ".version}", each.group(2));
    }
    Map<String, String> versions = new HashMap<>();
    String artifact = "<artifactId>(maven-[a-z]+-plugin|junit-jupiter)</artifactId>";
    for (MatchResult each : matches(artifact + "\\s*<version>([^<]+)</version>", text)) {
      versions.put(each.group(1), properties.getOrDefault(each.group(2), each.group(2)));
    }
    String junit = properties.get("${junit.version}");
    if (junit != null) {
      versions.put("junit-jupiter", junit);
    }
    return versions;
  }

  private static Iterable<MatchResult> matches(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().toList();
  }

  @Test
  void whatIsThereIsNeverOverwritten() throws IOException {
    Path project = Files.createDirectory(folder.resolve("greeter"));
    assertThatThrownBy(() -> of("greeter").write(project))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(project).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Greeter",
        "greeter-",
        "-greeter",
        "my greeter",
        "../greeter",
        "greeter--x",
        "9lives",
        "a-name-of-more-than-thirty-two-characters"
      })
  void namesAreChecked(String name) {
    assertThatThrownBy(() -> of(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lower-case words joined by hyphens");
  }

  @ParameterizedTest
  @CsvSource({
    "content-filter, org.example.contentfilter, ContentFilterPlugin",
    "switch, org.example.switchplugin, SwitchPlugin",
    "plugin, org.example.plugin, PluginPlugin",
    "a2-b, org.example.a2b, A2BPlugin"
  })
  void namesInJavaFollowFromTheName(String name, String packageName, String className) {
    assertThat(of(name).packageName()).isEqualTo(packageName);
    assertThat(of(name).className()).isEqualTo(className);
  }

  @Test
  void aPackageIsChecked() {
    assertThat(ProjectTemplate.of("greeter", "com.example", "1", HOME).packageName())
        .isEqualTo("com.example");
    assertThatThrownBy(() -> ProjectTemplate.of("greeter", "com.class", "1", HOME))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("com.class");
  }
}
