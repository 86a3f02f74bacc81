package im.zonda.app.settings.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.settings.toml.SettingsException;
import im.zonda.host.plugin.manifest.PluginManifest;
import im.zonda.host.plugin.manifest.SettingDeclaration;
import im.zonda.host.plugin.manifest.SettingType;
import im.zonda.plugin.PluginPort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class ManifestReaderTest {
  private static final String START =
      """
      name = "content-filter"
      version = "1.2.0"
      api = "1.0"
      class = "im.zonda.plugins.filter.ContentFilter"
      title = "Rejects, masks or drops messages by patterns"
      """;

  private static final String FULL =
      """
      ports = ["messages", "account-provider"]
      calls = "inline"
      time-limit = "100 ms"
      [settings.words]
      type = "texts"
      default = ["a", "b"]
      doc = "words that are rejected"
      [settings.action]
      type = "text"
      default = "mask"
      doc = "what is done"
      values = ["reject", "mask"]
      [settings.most]
      type = "number"
      default = 5
      doc = "how many"
      least = 1
      most = 100
      [settings.pause]
      type = "duration"
      default = "5 s"
      doc = "how long"
      most = "1m"
      [settings.api-token]
      type = "secret"
      doc = "key of the service"
      """;

  @Test
  void whatIsWrittenIsRead() throws Exception {
    PluginManifest manifest = read(START + FULL);
    assertThat(manifest)
        .isEqualTo(
            new PluginManifest(
                "content-filter",
                "1.2.0",
                "1.0",
                "im.zonda.plugins.filter.ContentFilter",
                "Rejects, masks or drops messages by patterns",
                Set.of(PluginPort.MESSAGES, PluginPort.ACCOUNT_PROVIDER),
                true,
                Duration.ofMillis(100),
                manifest.settings()));
    assertThat(manifest.settings().sequencedValues())
        .containsExactly(
            new SettingDeclaration(
                "words",
                SettingType.TEXTS,
                List.of("a", "b"),
                "words that are rejected",
                null,
                null,
                List.of()),
            new SettingDeclaration(
                "action",
                SettingType.TEXT,
                "mask",
                "what is done",
                null,
                null,
                List.of("reject", "mask")),
            new SettingDeclaration("most", SettingType.NUMBER, 5L, "how many", 1L, 100L, List.of()),
            new SettingDeclaration(
                "pause",
                SettingType.DURATION,
                Duration.ofSeconds(5),
                "how long",
                null,
                60_000L,
                List.of()),
            new SettingDeclaration(
                "api-token", SettingType.SECRET, "", "key of the service", null, null, List.of()));
  }

  @Test
  void theShortestManifestHasTheUsualValues() throws Exception {
    PluginManifest manifest = read(START);
    assertThat(manifest.ports()).isEmpty();
    assertThat(manifest.inline()).isFalse();
    assertThat(manifest.timeLimit()).isEqualTo(PluginManifest.TIME_LIMIT);
    assertThat(manifest.settings()).isEmpty();
  }

  @Test
  void everyErrorIsReportedAtOnceWithItsPlace() {
    failure(
            """
            name = "Content_Filter"
            version = "1"
            api = "1.0"
            title = "Rejects messages."
            ports = ["mesages", "store", "store"]
            calls = "sometimes"
            time-limit = "11s"
            tilte = "x"
            [settings.Words]
            type = "txt"
            doc = "words"
            [settings.most]
            type = "number"
            doc = "how many"
            least = 1
            [settings.fast]
            type = "flag"
            doc = "whether"
            most = 3
            default = "yes"
            """)
        .hasMessage(
            """
            plugin.toml:1:1: name must be lower-case words joined by hyphens, at most 32 characters
            plugin.toml:1:1: class is missing
            plugin.toml:2:1: version must be three numbers such as "1.2.0"
            plugin.toml:4:1: title must be one line without spaces around it and full stop
            plugin.toml:5:10: there is no port "mesages"; did you mean "messages"?
            plugin.toml:5:30: ports contains "store" twice
            plugin.toml:6:1: calls must be "own-threads" or "inline"
            plugin.toml:7:1: time-limit must be a duration from "1ms" to "10s"
            plugin.toml:8:1: unknown key tilte; did you mean "title"?
            plugin.toml:9:1: settings.Words: the name must be lower-case words joined by hyphens, at most 48 characters
            plugin.toml:10:1: settings.Words.type must be one of text, secret, number, flag, duration, texts, path; did you mean "text"?
            plugin.toml:12:1: settings.most.default is missing; it must be a whole number, at least 1
            plugin.toml:19:1: settings.fast.most is for the types number and duration only
            plugin.toml:20:1: settings.fast.default must be true or false\
            """);
  }

  @Test
  void anotherVersionOfTheInterfaceIsTheOnlyError() throws Exception {
    for (String later : List.of("2.0", "1.1", "0.9")) {
      failure("api = \"" + later + "\"\nnew-key = 1\n")
          .hasMessage(
              "plugin.toml:1:1: is built for version "
                  + later
                  + " of the interface, this server has 1.0");
    }
    failure("api = \"one\"\n").hasMessageContaining("api must be two numbers such as \"1.0\"");
  }

  @Test
  void valuesThatContradictEachOtherAreReported() {
    failure(START + "[settings.a]\ntype = \"number\"\ndoc = \"a\"\nleast = 5\nmost = 4\n")
        .hasMessageContaining("9:1: settings.a.least is larger than most");
    failure(START + "[settings.a]\ntype = \"text\"\ndoc = \"a\"\nvalues = []\n")
        .hasMessageContaining("settings.a.values must be a list of 1 to 64 texts");
    failure(START + "[settings.a]\ntype = \"number\"\ndoc = \"a\"\nvalues = [\"1\"]\n")
        .hasMessageContaining("settings.a.values is for the types text and texts only");
    failure(
            START
                + "[settings.a]\ntype = \"text\"\ndoc = \"a\"\nvalues = [\"x\"]\ndefault = \"y\"\n")
        .hasMessageContaining("settings.a.default must be \"x\"");
    failure(START + "[settings.a-secret]\ntype = \"secret\"\ndoc = \"a\"\ndefault = \"hush\"\n")
        .hasMessageContaining("settings.a-secret.default: a secret has none")
        .hasMessageNotContaining("hush");
    failure(START + "[settings.api-key]\ntype = \"secret\"\ndoc = \"a\"\n")
        .hasMessageContaining("the name of a secret must end in secret, password or token");
    failure(START + "[settings]\na = 1\n").hasMessageContaining("settings.a must be a table");
    failure("settings = 1\n" + START).hasMessageContaining("settings must be tables");
  }

  @Test
  void row100_tooMuchIsRejectedWithoutBeingParsed() {
    failure("#".repeat(PluginManifest.MOST_BYTES + 1)).hasMessageContaining("larger than 65536");
    StringBuilder many = new StringBuilder(START);
    for (int i = 0; i <= PluginManifest.MOST_SETTINGS; i++) {
      many.append("[settings.s").append(i).append("]\ntype=\"flag\"\ndoc=\"x\"\n");
    }
    failure(many.toString()).hasMessageContaining("more than 100 settings");
    failure("title = \"" + "x".repeat(60_000) + "\"\nclass = \"" + "x.".repeat(1_000) + "\"")
        .hasMessageContaining("title is longer than 200 characters")
        .hasMessageContaining("class is longer than 256 characters");
  }

  @Test
  void row100_nestingAndBytesThatAreNoTextAreErrors() {
    failure("a = " + "[".repeat(30_000)).hasMessageContaining("plugin.toml:1:");
    failure("a = " + "[".repeat(30_000) + "]".repeat(30_000)).hasMessageContaining("plugin.toml:1");
    failure("a = " + "{a=".repeat(20_000)).hasMessageContaining("plugin.toml:1:");
    failure("a" + ".a".repeat(30_000) + "=1").hasMessageContaining("plugin.toml:1:");
    assertThatThrownBy(() -> ManifestReader.read(new byte[] {'a', (byte) 0xff}))
        .isInstanceOf(SettingsException.class)
        .hasMessage("plugin.toml:1:1: is not UTF-8");
  }

  private static AbstractThrowableAssert<?, ?> failure(String text) {
    return assertThatThrownBy(() -> read(text)).isInstanceOf(SettingsException.class);
  }

  private static PluginManifest read(String text) throws SettingsException {
    return ManifestReader.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
