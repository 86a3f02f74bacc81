package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.hosts.ConfigChangeOperations.Effect;
import im.zonda.app.operation.run.OperationRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The configuration file of a running server is changed by operations.
@Timeout(120)
class ConfigChangeTest {
  private static final String MAIN =
      """
      hosts = ["a.example"] # our domain
      contact = ["mailto:one@a.example"]

      [http]
      listen = []
      listen-tls = []
      [c2s]
      listen = ["127.0.0.1:0"]
      listen-tls = []
      [component.secret]
      "irc.a.example" = "hunter22"
      """;

  @TempDir private Path folder;

  private RunningServers.One server;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(file(), MAIN);
    server = RunningServers.start(file());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // set before each test
  ConfigChangeTest() {}

  private Path file() {
    return folder.resolve("zonda.toml");
  }

  private OperationRunner operations() {
    return server.operations();
  }

  private Effect set(String key, String value) throws IOException {
    return operations().ask(ConfigChangeOperations.SET, Map.of("key", key, "value", value));
  }

  private List<ConfigChangeOperations.Version> history() throws IOException {
    return operations().ask(ConfigChangeOperations.HISTORY, Map.of()).versions();
  }

  @Test
  void aSettingIsShownBeforeItIsChangedAndUndone() throws Exception {
    Map<String, @Nullable Object> change =
        Map.of("key", "contact", "value", "mailto:two@a.example");
    Effect shown = operations().ask(ConfigChangeOperations.PREVIEW, change);
    assertThat(shown.difference())
        .contains("- contact = [\"mailto:one@a.example\"]\n+ contact = [\"mailto:two@a.example\"]")
        .doesNotContain("hunter22");
    assertThat(shown.changes()).containsExactly("changed a.example: contact");
    assertThat(Files.readString(file())).isEqualTo(MAIN);
    Effect done = operations().ask(ConfigChangeOperations.SET, change);
    assertThat(done).isEqualTo(shown);
    assertThat(Files.readString(file())).isEqualTo(MAIN.replace("one@", "two@"));
    ConfigChangeOperations.Version version = history().getFirst();
    assertThat(version.change()).isEqualTo("config.set contact");
    Effect back =
        operations().ask(ConfigChangeOperations.REVERT, Map.of("version", version.version()));
    assertThat(back.changes()).containsExactly("changed a.example: contact");
    assertThat(Files.readString(file())).isEqualTo(MAIN);
    assertThat(history()).hasSize(2);
  }

  /// What a value of a plugin is, is known once it is added: until then it may be a secret.
  @Test
  void settingsOfAPluginAreWrittenBeforeItIsAdded() throws Exception {
    Effect done = set("plugin.greeter.greeting", "hush hush");
    assertThat(done.difference())
        .contains("+ [plugin.greeter]", "+ greeting = \"(not shown)\"")
        .doesNotContain("hush");
    assertThat(done.changes()).containsExactly("changed a.example: plugin.greeter (not added)");
    assertThat(Files.readString(file())).contains("greeting = \"hush hush\"");
    ConfigOperations.Checked checked = operations().ask(ConfigOperations.CHECK, Map.of());
    assertThat(checked.errors()).isEmpty();
    assertThat(checked.warnings())
        .singleElement()
        .asString()
        .contains("zonda.toml:13:1: no plugin greeter is added");
    assertThatThrownBy(() -> set("plugin.greeter.api-token", "hush"))
        .hasMessageContaining("plugin.greeter.api-token is a secret")
        .hasMessageNotContaining("hush");
  }

  @Test
  void whatIsWrongChangesNothing() throws Exception {
    assertThatThrownBy(() -> set("c2s.lisen", "x"))
        .hasMessageContaining("did you mean c2s.listen?");
    assertThatThrownBy(() -> set("http.max", "x")).hasMessageContaining("unknown key");
    assertThatThrownBy(() -> set("hosts", "@@")).hasMessageContaining("must be a list of domains");
    assertThatThrownBy(() -> set("acme.directory", "https://ca.example/"))
        .hasMessageContaining("acme.terms-agreed must be true");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThatThrownBy(() -> set("c2s.listen", address))
          .hasMessageContaining("the server cannot listen at " + address);
    }
    assertThat(Files.readString(file())).isEqualTo(MAIN);
    assertThat(history()).isEmpty();
  }

  @Test
  void secretsAreNeitherTakenNorShown() throws Exception {
    for (String key : List.of("component.secret.\"irc.a.example\"", "component.secret.x")) {
      assertThatThrownBy(() -> set(key, "opensesame")).hasMessageContaining("is a secret");
    }
    assertThat(set("contact", "mailto:x@a.example").difference()).doesNotContain("hunter22");
    assertThat(server.audit()).doesNotContain("opensesame").doesNotContain("hunter22");
  }

  @Test
  void settingsAreListedWithTheirOriginAndWhatWaitsForARestart() throws Exception {
    assertThat(set("c2s.event-loops", "3").changes())
        .anyMatch(line -> line.startsWith("needs a restart: c2s.event-loops ("));
    ConfigChangeOperations.Shown loops =
        operations()
            .ask(ConfigChangeOperations.LIST, Map.of("text", "c2s.event-loops"))
            .keys()
            .getFirst();
    assertThat(loops.value()).isEqualTo("3");
    assertThat(loops.waits()).isTrue();
    assertThat(loops.origin()).isNotNull().contains("zonda.toml:");
    ConfigChangeOperations.Listed first =
        operations().ask(ConfigChangeOperations.LIST, Map.of("limit", 2));
    assertThat(first.keys()).hasSize(2);
    assertThat(first.next()).isEqualTo(first.keys().getLast().key());
    assertThat(operations().ask(ConfigChangeOperations.LIST, Map.of("set", true)).keys())
        .allMatch(key -> key.origin() != null)
        .anyMatch(key -> key.key().equals("hosts") && !key.waits());
  }

  @Test
  void aBoundedNumberOfVersionsIsKept() throws Exception {
    ConfigHistory history = ConfigHistory.in(folder.resolve("other"));
    for (int i = 0; i < ConfigHistory.MOST + 5; i++) {
      history.keep("x = " + i + "\n", Instant.ofEpochMilli(1_000), "me", "number " + i);
    }
    List<ConfigHistory.Version> all = history.list(null, 1_000);
    assertThat(all).hasSize(ConfigHistory.MOST);
    assertThat(all.getFirst().change()).isEqualTo("number " + (ConfigHistory.MOST + 4));
    assertThat(history.content(all.getLast().name())).isEqualTo("x = 5\n");
    assertThat(history.content("../zonda")).isNull();
    assertThat(history.list(all.get(1).name(), 1)).containsExactly(all.get(2));
  }
}
