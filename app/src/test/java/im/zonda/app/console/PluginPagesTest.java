package im.zonda.app.console;

import static im.zonda.app.console.RunningConsole.status;
import static im.zonda.app.console.RunningConsole.token;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.plugin.PluginStart;
import im.zonda.app.plugin.SampleJar;
import im.zonda.config.ServerConfig;
import im.zonda.config.plugin.PluginValue;
import im.zonda.config.plugin.PluginValues;
import im.zonda.operation.Grant;
import im.zonda.operation.Role;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The pages of plugins: from the jar in the browser to its removal.
@Timeout(120)
class PluginPagesTest {
  private static final String ADD = "/admin/plugin-add";
  private static final String GREETER = "/admin/plugin?plugin=greeter";

  /// A plugin that does nothing.
  public static final class Greeter implements Plugin {
    @Override
    public void start(PluginContext context) {}
  }

  private static final SampleJar JAR =
      SampleJar.of(Greeter.class, "messages", "account-provider")
          .line(
              """
              [settings.greeting]
              type = "text"
              default = "hello"
              doc = "what it says"
              [settings.api-token]
              type = "secret"
              doc = "of the service"
              [settings.names]
              type = "texts"
              default = ["<b>", "x"]
              doc = "whom it <i>knows</i>"
              """);

  private TestServer server;
  private PluginStart plugins;
  private RunningConsole running;
  private RunningConsole.Window admin;

  @BeforeEach
  void start(@TempDir Path data, @TempDir Path folder) throws Exception {
    server =
        ServerPlan.of(StandardModules::create)
            .withHosts(RunningConsole.HOST, "other.example")
            .withData(data)
            .startOnSockets();
    ServerConfig config =
        server
            .config()
            .withPlugins(
                Map.of(
                    "greeter",
                    new PluginValues(
                        Map.of(
                            "greeting", new PluginValue.Text("good day"),
                            "api-token", new PluginValue.Text("s3cret")))));
    plugins = PluginStart.over(server.server(), server.stores(), server.runtime(), config);
    running = new RunningConsole(folder, false, server);
    admin = running.signedIn("admin", new Grant(Role.SERVER_ADMIN, null, null));
  }

  @AfterEach
  void stop() {
    running.close();
    plugins.close();
    server.close();
  }

  private String upload(byte[] jar, String hash) throws Exception {
    String page = admin.get(ADD);
    return admin.upload(ADD, List.of("token", token(page), "sha256", hash), "jar", jar);
  }

  @Test
  void aPluginIsAddedShownStoppedStartedAndRemoved() throws Exception {
    assertThat(admin.get("/admin/plugins")).contains("No plugins.", "href=\"" + ADD);
    assertThat(admin.get(ADD)).contains("all rights of the server", "type=\"file\"");

    assertThat(upload(JAR.bytes(), ""))
        .startsWith("HTTP/1.1 303")
        .contains("Location: /admin/plugin?plugin=greeter&done=plugin.add");
    String page = admin.get(GREETER);
    assertThat(status(page)).isEqualTo(200);
    assertThat(page)
        .contains("running", "A plugin of a test", "own.example, other.example")
        .contains("tell who may log in, read, change and reject messages")
        .contains("on threads of its own", "100 ms")
        .contains("what it says", "\"good day\"\n", "[\"&lt;b&gt;\", \"x\"] (default)")
        .contains("(not shown)")
        .contains("whom it &lt;i&gt;knows&lt;/i&gt;")
        .doesNotContain("s3cret", "<i>knows", "plugin.enable");
    assertThat(admin.get("/admin/plugins"))
        .contains("<a href=\"" + GREETER + "\">greeter</a>", "1.0.0");

    assertThat(admin.run("plugin.disable", "plugin", "greeter", "back", GREETER))
        .contains("Location: " + GREETER + "&done=plugin.disable");
    assertThat(admin.get(GREETER))
        .contains("disabled", "They are shown while it runs", "plugin.enable")
        .doesNotContain("plugin.disable?");
    assertThat(status(admin.run("plugin.enable", "plugin", "greeter"))).isEqualTo(303);
    assertThat(admin.get(GREETER)).contains("running");
    assertThat(status(admin.run("plugin.remove", "plugin", "greeter"))).isEqualTo(303);
    assertThat(status(admin.get(GREETER))).isEqualTo(404);
  }

  @Test
  void row99_whatIsNoPluginIsRefusedWithTheReason() throws Exception {
    assertThat(upload(new byte[0], "")).startsWith("HTTP/1.1 422").contains("Choose a jar.");
    assertThat(upload("no jar".getBytes(StandardCharsets.UTF_8), ""))
        .startsWith("HTTP/1.1 422")
        .contains("no jar");
    assertThat(upload(JAR.bytes(), "00".repeat(32)))
        .startsWith("HTTP/1.1 422")
        .contains("has the hash");
    assertThat(upload(JAR.bytes(JAR.manifest("2.0")), ""))
        .startsWith("HTTP/1.1 422")
        .contains("is built for version 2.0 of the interface");
    assertThat(admin.get("/admin/plugins")).contains("No plugins.");
  }

  @Test
  void row93_aJarWithoutTheTokenOfThePageOrFromAnotherSiteIsNotLookedAt() throws Exception {
    assertThat(status(admin.upload(ADD, List.of("token", "00"), "jar", JAR.bytes())))
        .isEqualTo(403);
    RunningConsole.Window reader =
        running.signedIn("reader", new Grant(Role.READ_ONLY, null, null));
    assertThat(status(reader.get(ADD))).isEqualTo(403);
    String own = token(reader.get("/admin/"));
    assertThat(status(reader.upload(ADD, List.of("token", own), "jar", JAR.bytes())))
        .isEqualTo(403);
    assertThat(admin.get("/admin/plugins")).contains("No plugins.");
  }
}
