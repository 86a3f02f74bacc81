package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.settings.edit.TomlText;
import im.zonda.app.settings.plugin.AddedManifests;
import im.zonda.app.settings.plugin.PluginChecks;
import im.zonda.config.plugin.PluginValues;
import im.zonda.host.plugin.manifest.CheckedSettings;
import im.zonda.host.plugin.manifest.PluginManifest;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sections `[plugin.NAME]` of the configuration.
class PluginSectionTest {
  private static final String MANIFEST =
      """
      name = "greeter"
      version = "1.0.0"
      api = "1.0"
      class = "org.example.Greeter"
      title = "Greets everyone"
      [settings.words]
      type = "texts"
      default = ["hello"]
      doc = "words of greeting"
      [settings.most]
      type = "number"
      default = 5
      doc = "how many"
      least = 1
      most = 1000000
      [settings.pause]
      type = "duration"
      default = "5s"
      doc = "how long"
      most = "1m"
      [settings.loud]
      type = "flag"
      doc = "whether"
      [settings.tone]
      type = "text"
      doc = "how"
      values = ["warm", "cold"]
      [settings.list]
      type = "path"
      doc = "a file"
      [settings.api-token]
      type = "secret"
      doc = "of the service"
      """;

  @TempDir private Path folder;

  @Test
  void valuesAreReadByTheTypesOfTheManifest() throws Exception {
    added();
    Files.writeString(folder.resolve("token"), "s3cret\n");
    Settings settings =
        read(
            """
            hosts = ["a.example", "b.example"]
            [plugin.greeter]
            words = ["hi", "hello there"]
            most = "1KiB"
            pause = "30s"
            loud = true
            tone = "warm"
            list = "words.txt"
            api-token = "${file:token}"
            [host."b.example".plugin.greeter]
            words = []
            pause = "1s"
            """);
    CheckedSettings of = checked(settings, "a.example");
    assertThat(of.texts("words")).containsExactly("hi", "hello there");
    assertThat(of.number("most")).isEqualTo(1_024);
    assertThat(of.duration("pause")).isEqualTo(Duration.ofSeconds(30));
    assertThat(of.flag("loud")).isTrue();
    assertThat(of.text("tone")).isEqualTo("warm");
    assertThat(of.text("api-token")).isEqualTo("s3cret");
    assertThat(of.path("list")).isEqualTo(Path.of("/its/folder/words.txt"));
    CheckedSettings other = checked(settings, "b.example");
    assertThat(other.texts("words")).isEmpty();
    assertThat(other.duration("pause")).isEqualTo(Duration.ofSeconds(1));
    assertThat(other.flag("loud")).as("as for the server").isTrue();
    assertThatThrownBy(() -> of.text("words")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> of.text("nothing")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotSetHasItsDefault() throws Exception {
    added();
    CheckedSettings of = checked(read(""), "localhost");
    assertThat(of.texts("words")).containsExactly("hello");
    assertThat(of.number("most")).isEqualTo(5);
    assertThat(of.text("tone")).isEmpty();
    assertThat(of.path("list")).isEqualTo(Path.of("/its/folder"));
  }

  @Test
  void everyErrorIsReportedWithItsPlace() throws Exception {
    added();
    assertThatThrownBy(() ->
            read(
                """
                [plugin.greeter]
                words = "hi"
                most = 0
                pause = "2m"
                loud = "yes"
                tone = "lukewarm"
                wrods = ["x"]
                api-token = 987654321
                [host."localhost".plugin.greeter]
                most = 7000000
                """))
        .hasMessage(
            """
            zonda.toml:2:1: plugin.greeter.words must be a list of texts, not "hi"
            zonda.toml:3:1: plugin.greeter.most must be a whole number, from 1 to 1000000, not 0
            zonda.toml:4:1: plugin.greeter.pause must be a duration such as "30s", at most 1m, not "2m"
            zonda.toml:5:1: plugin.greeter.loud must be true or false, not "yes"
            zonda.toml:6:1: plugin.greeter.tone must be "warm" or "cold", not "lukewarm"
            zonda.toml:7:1: unknown key plugin.greeter.wrods; did you mean "words"?
            zonda.toml:8:1: plugin.greeter.api-token must be a text such as "${file:/etc/zonda/secret}"
            zonda.toml:10:1: host.localhost.plugin.greeter.most must be a whole number, from 1 to 1000000, not 7000000\
            """
                .replace("zonda.toml", folder.resolve("zonda.toml").toString()));
  }

  @Test
  void whatNoPluginCanHaveIsAnErrorAlsoBeforeItIsAdded() {
    assertThatThrownBy(() ->
            read(
                """
                [plugin.greeter]
                a = 1.5
                b = [1]
                c = "${file:absent}"
                [plugin.greeter.d]
                x = 1
                [plugin.Greeter]
                """))
        .hasMessageContaining(
            ":2:1: plugin.greeter.a must be a text, a whole number, true or false")
        .hasMessageContaining(":3:1: plugin.greeter.b must be")
        .hasMessageContaining(":4:1: cannot read absent")
        .hasMessageContaining(":5:1: plugin.greeter.d must be")
        .hasMessageContaining(":7:1: plugin.Greeter: Greeter is no name of a plugin")
        .hasMessageNotContaining("host");
  }

  @Test
  void aSectionOfAPluginThatIsNotAddedIsAWarningAndItsValuesAreNotShown() throws Exception {
    added();
    Settings settings = read("[plugin.greter]\nwords = \"s3cret\"\n");
    List<String> warnings = new ArrayList<>();
    new PluginChecks(settings.plugins(), (key, text) -> warnings.add(key + ": " + text))
        .warnings(settings.config());
    assertThat(warnings)
        .containsExactly("plugin.greter: no plugin greter is added; did you mean \"greeter\"?");
    assertThat(SettingsText.show(settings))
        .contains("[plugin.greter]\nwords = \"(not shown)\"")
        .doesNotContain("s3cret");
    assertThat(settings.config().toString()).doesNotContain("s3cret");
  }

  @Test
  void whatIsShownHasDefaultsAndOriginsAndNoSecret() throws Exception {
    added();
    Settings settings =
        read("[plugin.greeter]\ntone = \"cold\"\napi-token = \"s3cret\"\nmost = \"2KiB\"\n");
    assertThat(SettingsText.show(settings).lines().map(line -> line.replaceAll(" +# ", " # ")))
        .contains(
            "[plugin.greeter]",
            "words = [\"hello\"] # default",
            "most = 2048 # " + folder.resolve("zonda.toml") + ":4:1",
            "tone = \"cold\" # " + folder.resolve("zonda.toml") + ":2:1",
            "api-token = \"(not shown)\" # " + folder.resolve("zonda.toml") + ":3:1");
    assertThat(SettingsKeys.describe(settings, settings.config()))
        .anySatisfy(key -> {
          assertThat(key.key()).isEqualTo("plugin.greeter.tone");
          assertThat(key.value()).isEqualTo("\"cold\"");
          assertThat(key.takes()).isEqualTo("\"warm\" or \"cold\"");
          assertThat(key.meaning()).isEqualTo("how");
        })
        .noneSatisfy(key -> assertThat(key.value()).contains("s3cret"));
  }

  @Test
  void variablesOverrideTheFileWhateverTheType() throws Exception {
    added();
    Map<String, String> variables =
        Map.of(
            "ZONDA_PLUGIN__GREETER__MOST", "7",
            "ZONDA_PLUGIN__GREETER__LOUD", "true",
            "ZONDA_PLUGIN__GREETER__API_TOKEN", "12345",
            "ZONDA_PLUGIN__GREETER__WORDS", "a, b");
    Path file = Files.writeString(folder.resolve("zonda.toml"), "[plugin.greeter]\nmost = 3\n");
    Settings settings = new SettingsReader(variables, Set.of()).read(file, null, folder);
    CheckedSettings of = checked(settings, "localhost");
    assertThat(of.number("most")).isEqualTo(7);
    assertThat(of.flag("loud")).isTrue();
    assertThat(of.text("api-token")).isEqualTo("12345");
    assertThat(of.texts("words")).containsExactly("a", "b");
    Map<String, String> wrong = Map.of("ZONDA_PLUGIN__GREETER__MOST", "hush");
    assertThatThrownBy(() -> new SettingsReader(wrong, Set.of()).read(file, null, folder))
        .hasMessage(
            "ZONDA_PLUGIN__GREETER__MOST: plugin.greeter.most must be a whole number, from 1 to"
                + " 1000000");
  }

  @Test
  void valuesOfACommandBecomeTomlByTheirTypes() throws Exception {
    added();
    AddedManifests plugins = read("").plugins();
    assertThat(toml("plugin.greeter.words", "a, b", plugins)).isEqualTo("[\"a\", \"b\"]");
    assertThat(toml("plugin.greeter.most", "7", plugins)).isEqualTo("7");
    assertThat(toml("plugin.greeter.most", "1KiB", plugins)).isEqualTo("\"1KiB\"");
    assertThat(toml("plugin.greeter.tone", "true", plugins)).isEqualTo("\"true\"");
    assertThat(toml("plugin.greeter.loud", "true", plugins)).isEqualTo("true");
    assertThat(toml("host.\"a.example\".plugin.greeter.pause", "5s", plugins)).isEqualTo("\"5s\"");
    assertThat(toml("plugin.other.x", "true", plugins)).isEqualTo("true");
    assertThatThrownBy(() -> toml("plugin.greeter.wrods", "a", plugins))
        .hasMessage("the plugin greeter has no setting wrods; did you mean \"words\"?");
    assertThatThrownBy(() -> SettingsKeys.rejectSecret("plugin.other.api-token", "s3cret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
    assertThat(SettingsKeys.isSecret(List.of("plugin", "greeter", "api-token"), plugins)).isTrue();
    assertThat(SettingsKeys.isSecret(List.of("plugin", "greeter", "words"), plugins)).isFalse();
    assertThat(SettingsKeys.isSecret(List.of("plugin", "other", "words"), plugins))
        .as("nobody knows what it is")
        .isTrue();
  }

  @Test
  void aChangeNamesThePluginAndTheHost() throws Exception {
    Settings before = read("hosts = [\"a.example\", \"b.example\"]\n");
    Settings after =
        read(
            "hosts = [\"a.example\", \"b.example\"]\n[host.\"b.example\".plugin.greeter]\nmost = 2\n");
    assertThat(
            SettingsChange.describe(
                before.config(), before.config().withReloadable(after.config()), after))
        .containsExactly("changed b.example: plugin.greeter (not added)");
    added();
    Settings known = read("hosts = [\"a.example\"]\n[plugin.greeter]\nmost = 2\n");
    Settings other = read("hosts = [\"a.example\"]\n");
    assertThat(
            SettingsChange.describe(
                known.config(), known.config().withReloadable(other.config()), other))
        .containsExactly("changed a.example: plugin.greeter");
  }

  @Test
  void row99_aJarThatIsNoPluginIsNamedAndHarmsNoOther() throws Exception {
    added();
    Path plugins = folder.resolve("data/plugins");
    Files.writeString(plugins.resolve("broken.jar"), "no jar");
    jar(plugins.resolve("bomb.jar"), "#".repeat(30_000_000));
    Settings settings = read("");
    assertThat(settings.plugins().byName()).containsOnlyKeys("greeter");
    assertThat(settings.plugins().unreadable())
        .hasSize(2)
        .anySatisfy(text -> assertThat(text).contains("bomb.jar").contains("larger than 65536"))
        .anySatisfy(text -> assertThat(text).contains("broken.jar"));
  }

  @Test
  void aPluginIsSwitchedOffForAHostLikeAModuleAlsoAfterItWasRemoved() throws Exception {
    String text = "[host.\"localhost\"]\nmodules-off = [\"%s\"]\n";
    added();
    Files.createDirectories(folder.resolve("data/plugins/removed"));
    assertThat(read(text.formatted("greeter")).config().at("localhost").modulesOff())
        .containsExactly("greeter");
    assertThat(read(text.formatted("removed")).config().at("localhost").modulesOff())
        .containsExactly("removed");
    assertThat(read(text.formatted("later") + "[plugin.later]\n").config().modulesOff()).isEmpty();
    assertThatThrownBy(() -> read(text.formatted("greter")))
        .hasMessageContaining(
            ":2:1: no module \"greter\" can be switched off; did you mean \"greeter\"?");
  }

  private static String toml(String key, String value, AddedManifests plugins) {
    return SettingsKeys.toToml(TomlText.path(key), value, plugins);
  }

  private static CheckedSettings checked(Settings settings, String host) {
    PluginManifest manifest = Objects.requireNonNull(settings.plugins().of("greeter"));
    return CheckedSettings.of(
        manifest,
        settings.config().at(host).plugin().getOrDefault("greeter", PluginValues.NONE),
        Path.of("/its/folder"));
  }

  private Settings read(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("zonda.toml"), text);
    return new SettingsReader(Map.of(), Set.of()).read(file, null, folder);
  }

  private void added() throws Exception {
    Path plugins = Files.createDirectories(folder.resolve("data/plugins"));
    jar(plugins.resolve("greeter-0123456789abcdef0123456789abcdef.jar"), MANIFEST);
  }

  private static void jar(Path file, String manifest) throws Exception {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry(PluginManifest.FILE));
      zip.write(manifest.getBytes(StandardCharsets.UTF_8));
    }
  }
}
