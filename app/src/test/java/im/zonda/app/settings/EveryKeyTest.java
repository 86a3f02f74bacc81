package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.settings.toml.SettingsException;
import im.zonda.config.ServerConfig;
import im.zonda.config.edge.EdgeConfig;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Twins: what the defaults write reads as the defaults, and every key can be changed.
class EveryKeyTest {
  @TempDir private Path folder;

  @Test
  void whatIsShownReadsAsTheSame() throws Exception {
    SettingsReader reader = new SettingsReader(Map.of(), Set.of());
    Settings defaults = reader.read(null, null, folder);
    Path file = Files.writeString(folder.resolve("shown.toml"), SettingsText.show(defaults));
    Settings again = reader.read(file, null, folder);
    assertThat(again.config()).isEqualTo(defaults.config());
    assertThat(again.places()).containsKey("limits.client.max-depth");
  }

  @Test
  void everyKeyCanBeChanged() throws Exception {
    writeFiles();
    Settings changed = read("everything-changed.toml");
    ServerConfig defaults = ServerConfig.defaults(List.of("localhost"), folder.resolve("data"));
    Set<String> unchanged = new TreeSet<>();
    for (Keys.Key key : Keys.leaves()) {
      Object value = at(changed.config(), key.path());
      if (value == null || value.equals(at(defaults, key.path()))) {
        unchanged.add(key.dotted());
      }
    }
    assertThat(unchanged).as("keys that everything-changed.toml does not change").isEmpty();
  }

  /// The reference is made from the same keys, so each is documented.
  @Test
  void everyKeyOfAnEdgeCanBeChangedAndIsDocumented() throws Exception {
    EdgeConfig changed = readEdge("edge-changed.toml");
    EdgeConfig one = readEdge("edge-of-one-core.toml");
    EdgeConfig defaults = EdgeConfig.defaults();
    String reference = SettingsText.edgeReference();
    Set<String> unchanged = new TreeSet<>();
    Set<String> undocumented = new TreeSet<>();
    for (Keys.Key key : Keys.leaves(EdgeConfig.class)) {
      Object value = at(key.dotted().equals("edge.core") ? one : changed, key.path());
      if (value == null || value.equals(at(defaults, key.path()))) {
        unchanged.add(key.dotted());
      }
      String section = String.join(".", key.path().subList(0, key.path().size() - 1));
      int from = reference.indexOf("\n## `[" + section + "]`\n");
      int to = reference.indexOf("\n## ", from + 1);
      String table = reference.substring(Math.max(0, from), to < 0 ? reference.length() : to);
      if (from < 0 || !table.contains("\n| `" + key.name() + "` |")) {
        undocumented.add(key.dotted());
      }
    }
    assertThat(unchanged).as("keys that edge-changed.toml does not change").isEmpty();
    assertThat(undocumented).as("keys that docs/reference/edge.md does not have").isEmpty();
    assertThat(changed.edge().all())
        .containsExactly("core1.example.org:5225", "core2.example.org=10.0.0.2:5225");
    assertThat(one.edge().all()).containsExactly("core.example.org:5225");
  }

  @Test
  void anEdgeHasOneFormOfCores() {
    assertThatThrownBy(() -> edgeText("[edge]\npatience = \"1m\"\n"))
        .hasMessageContaining("edge.core or edge.cores must be set");
    assertThatThrownBy(() -> edgeText("[edge]\ncore = \"a:1\"\ncores = [\"b:1\"]\n"))
        .hasMessageContaining("must not be set together");
    for (String wrong : List.of("a", "a:0", "a:70000", "a:b", "=a:1", "a=:1", "a b:1")) {
      assertThatThrownBy(() -> edgeText("[edge]\ncores = [\"" + wrong + "\"]\n"))
          .as(wrong)
          .hasMessageContaining("edge.cores: " + wrong + " is not host:port");
    }
  }

  private EdgeConfig edgeText(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("edge.toml"), text);
    return SettingsReader.readEdge(file, folder);
  }

  private EdgeConfig readEdge(String resource) throws Exception {
    try (InputStream in = EveryKeyTest.class.getResourceAsStream(resource)) {
      assertThat(in).isNotNull();
      return edgeText(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void whatWasChangedIsShownWithItsPlace() throws Exception {
    writeFiles();
    Settings changed = read("everything-changed.toml");
    String shown = SettingsText.show(changed);
    assertThat(shown)
        .doesNotContain("# default")
        .contains("\n[host.\"b.example\"]\n")
        .contains("\n[host.\"b.example\".registration]\n");
    Path file = Files.writeString(folder.resolve("shown.toml"), shown);
    assertThat(new SettingsReader(Map.of(), Set.of("ping")).read(file, null, folder).config())
        .isEqualTo(changed.config());
  }

  @Test
  void secretsAreNeitherShownNorInErrors() throws Exception {
    Files.writeString(folder.resolve("secret"), "s3cret\n");
    String start = "[storage]\nurl = \"mariadb://localhost/x\"\nuser = \"x\"\n";
    Settings settings = readText(start + "password = \"${file:secret}\"\n");
    assertThat(settings.config().storage().password()).isEqualTo("s3cret");
    assertThat(SettingsText.show(settings)).contains("user = \"x\"").doesNotContain("s3cret");
    assertThat(settings.config().toString()).doesNotContain("s3cret");
    for (String wrong :
        List.of("password = 123456789", "url = \"postgresql://u:123456789@host/x\"")) {
      assertThatThrownBy(() -> readText("[storage]\n" + wrong + "\n"))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("storage.")
          .hasMessageNotContaining("123456789");
    }
  }

  @Test
  void theDatabaseOfAServerNeedsAUserAndAFileNeedsNone() {
    assertThatThrownBy(() -> readText("[storage]\nurl = \"mariadb://localhost/x\"\n"))
        .hasMessageContaining("storage.user must be set");
    assertThatThrownBy(() -> readText("[storage]\nuser = \"x\"\n"))
        .hasMessageContaining("storage.user is for database servers");
  }

  private Settings readText(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("zonda.toml"), text);
    return new SettingsReader(Map.of(), Set.of("ping")).read(file, null, folder);
  }

  /// The files that the settings name.
  private void writeFiles() throws Exception {
    Files.writeString(folder.resolve("chain.pem"), "");
    Files.writeString(folder.resolve("key.pem"), "");
    Files.writeString(folder.resolve("keys.json"), "{\"kty\":\"oct\",\"k\":\"AAAA\"}");
    Files.write(folder.resolve("house.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});
    for (String name : List.of("authorities.pem", "revoked.pem")) {
      try (InputStream in = EveryKeyTest.class.getResourceAsStream(name)) {
        assertThat(in).isNotNull();
        Files.copy(in, folder.resolve(name));
      }
    }
  }

  private Settings read(String resource) throws Exception {
    try (InputStream in = EveryKeyTest.class.getResourceAsStream(resource)) {
      assertThat(in).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Path file = Files.writeString(folder.resolve("zonda.toml"), text);
      return new SettingsReader(Map.of(), Set.of("ping")).read(file, null, folder);
    }
  }

  private static @Nullable Object at(Object holder, List<String> path) {
    Object value = holder;
    for (int i = 0; i < path.size() && value != null; i++) {
      Map<String, Keys.Key> keys = Keys.of(value.getClass(), path.subList(0, i));
      value = Objects.requireNonNull(keys.get(path.get(i))).of(value);
    }
    return value;
  }
}
