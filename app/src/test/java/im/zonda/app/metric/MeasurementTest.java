package im.zonda.app.metric;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.Main;
import im.zonda.app.RunningServer;
import im.zonda.app.ServerProcess;
import im.zonda.app.command.Commands;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.monitoring.Selectors;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.json.JsonReader;
import im.zonda.metric.Meter;
import im.zonda.net.Listener;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server that runs in this process says that it has measured.
@Timeout(240)
class MeasurementTest {
  private static final String PASSWORD = "secret-of-theirs";

  /// Those of clusters and edges, which this server has none of.
  private static final Set<String> ELSEWHERE =
      Set.of(
          "zonda_otlp_spans_total",
          "zonda_otlp_waiting_spans",
          "zonda_provider_answer_seconds",
          "zonda_provider_away",
          "zonda_provider_failures_total",
          "zonda_plugin_calls_total",
          "zonda_plugin_call_seconds_total",
          "zonda_plugin_failures_total",
          "zonda_plugin_faulty",
          "zonda_plugin_lost_events_total",
          "zonda_plugin_skipped_total",
          "zonda_cluster_members",
          "zonda_cluster_segments",
          "zonda_cluster_forwarded_stanzas",
          "zonda_cluster_unconfirmed_values",
          "zonda_cluster_frames_total",
          "zonda_cluster_bytes_total",
          "zonda_edges",
          "zonda_edge_streams");

  @TempDir private Path folder;
  private Path file;
  private RunningServer server;
  private String token;
  private final HttpClient http = HttpClient.newHttpClient();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @SuppressWarnings("NullAway.Init") // set before each test
  MeasurementTest() {}

  @BeforeEach
  void start() throws Exception {
    file =
        Files.writeString(
            folder.resolve("zonda.toml"),
            """
            hosts = ["a.example"]
            data = "%s"
            [http]
            listen = ["127.0.0.1:0"]
            listen-tls = []
            url = "https://a.example:5281"
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = []
            [api]
            listen = ["127.0.0.1:0"]
            [s2s]
            enabled = true
            listen = ["127.0.0.1:0"]
            """
                .formatted(folder.resolve("data")));
    Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
    for (String user : new String[] {"romeo", "juliet"}) {
      assertThat(run("user", "add", user, "--password-file", password.toString()))
          .as(err.toString())
          .isZero();
    }
    ConfigSource source =
        new ConfigSource() {
          @Override
          public Settings read() throws SettingsException {
            return new SettingsReader(Map.of(), Set.of()).read(file, null, folder);
          }

          @Override
          public Settings readWith(Path named, String content) throws SettingsException {
            return new SettingsReader(Map.of(), Set.of()).readWith(named, content, null, folder);
          }

          @Override
          public Path file() {
            return file;
          }

          @Override
          public HostFiles hostFiles() {
            return HostFiles.in(folder);
          }
        };
    server = new ServerProcess(source, code -> {}).start(source.read().config());
    assertThat(run("token", "create", "test", "read-only", "--json")).as(err.toString()).isZero();
    token = Objects.toString(JsonReader.object(out.toString()).get("token"));
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = file.toString();
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }

  private ScriptedClient login(String name) throws IOException {
    return new ScriptedClient(SocketWire.connect(address(Listener.Kind.STARTTLS)))
        .login(Login.of(name + "@a.example/r", PASSWORD));
  }

  private InetSocketAddress address(Listener.Kind kind) {
    return server.listeners().stream()
        .filter(each -> each.kind() == kind)
        .findFirst()
        .orElseThrow()
        .address();
  }

  private ScrapedText scrape() {
    int port = address(Listener.Kind.API).getPort();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return ScrapedText.of(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyMeterThatIsDeclaredHasValuesAndNoOther() {
    Set<String> declared = new TreeSet<>();
    for (Meter each : StandardMeters.ALL) {
      if (!ELSEWHERE.contains(each.name())) {
        declared.add(each.name());
      }
    }
    assertThat(run("server", "version")).isZero(); // an operation, which is counted
    assertThat(scrape().types().keySet()).isEqualTo(declared);
  }

  @Test
  void theDashboardAndTheAlertsAskForWhatThereIs() {
    assertThat(run("server", "version")).isZero(); // an operation, which is counted
    assertThat(Selectors.problems(scrape(), ELSEWHERE)).isEmpty();
  }

  @Test
  void whatPeopleDoIsCountedAndMeasured() throws Exception {
    try (ScriptedClient romeo = login("romeo");
        ScriptedClient juliet = login("juliet")) {
      romeo.send("<presence/>").send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
      juliet.send("<presence/>");
      juliet.fence("available"); // before, she would read messages from the log
      for (int i = 0; i < 5; i++) {
        romeo.send(
            "<message to='juliet@a.example/r' type='chat' id='m%d'><body>hi</body></message>"
                .formatted(i));
      }
      for (int i = 0; i < 5; i++) {
        String id = "m" + i;
        juliet.receiveFirst(stanza -> id.equals(stanza.attribute("id")));
      }
      Eventually.await(
          "the messages were measured",
          () ->
              scrape().value("zonda_mailbox_tasks") == 0
                  && scrape().value("zonda_message_seconds_count{stage=\"inside\"}") >= 5
                  && scrape().value("zonda_message_seconds_count{stage=\"acknowledged\"}") == 5);
      ScrapedText text = scrape();
      assertThat(text.value("zonda_stanzas_total{kind=\"message\"}")).isEqualTo(5);
      assertThat(text.value("zonda_messages_total{outcome=\"delivered\"}")).isEqualTo(5);
      assertThat(text.value("zonda_accounts_online{host=\"a.example\"}")).isEqualTo(2);
      assertThat(text.value("zonda_sessions{state=\"online\"}")).isEqualTo(2);
      assertThat(text.value("zonda_sessions{state=\"detached\"}")).isZero();
      assertThat(text.value("zonda_logins_total{outcome=\"succeeded\"}")).isEqualTo(2);
      assertThat(text.value("zonda_login_seconds_count")).isEqualTo(2);
      assertThat(text.value("zonda_mailbox_wait_seconds_count")).isGreaterThanOrEqualTo(7);
      assertThat(text.value("zonda_log_commit_seconds_count")).isPositive();
      assertThat(text.value("zonda_connections")).isEqualTo(2);
      assertThat(run("top", "--once")).as(err.toString()).isZero();
      assertThat(out.toString())
          .contains("2 online   2 sessions   0 detached   2 connections")
          .contains("last minute")
          .contains("vcard ")
          .doesNotContain("\u001b");
      romeo.drop();
      Eventually.await(
          "romeo has lost his stream",
          () -> scrape().value("zonda_sessions{state=\"detached\"}") == 1);
      assertThat(scrape().value("zonda_sessions{state=\"online\"}")).isEqualTo(1);
      assertThat(scrape().value("zonda_accounts_online{host=\"a.example\"}")).isEqualTo(2);
    }
    Eventually.await(
        "juliet is offline",
        () -> scrape().value("zonda_accounts_online{host=\"a.example\"}") == 1);
  }

  @Test
  void messagesToRoomsAreMeasuredToo() throws Exception {
    String room = "green@rooms.a.example";
    try (ScriptedClient romeo = login("romeo")) {
      romeo.send(
          "<presence to='" + room + "/r'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
      romeo.send(
          "<iq type='set' id='c' to='"
              + room
              + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      romeo.receiveFirst(stanza -> "c".equals(stanza.attribute("id")));
      double before = scrape().value("zonda_message_seconds_count{stage=\"inside\"}");
      romeo.send("<message to='" + room + "' type='groupchat' id='m'><body>hi</body></message>");
      romeo.receiveFirst(stanza -> "m".equals(stanza.attribute("id")));
      Eventually.await(
          "the copy was measured",
          () -> scrape().value("zonda_message_seconds_count{stage=\"inside\"}") == before + 1);
    }
  }

  @Test
  void responsesToBrowsersAreCounted() throws Exception {
    int port = address(Listener.Kind.HTTP).getPort();
    URI nothing = URI.create("http://127.0.0.1:" + port + "/nothing-here");
    HttpResponse<String> answer =
        http.send(HttpRequest.newBuilder(nothing).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(404);
    ScrapedText text = scrape();
    assertThat(text.value("zonda_http_responses_total{code=\"4xx\"}")).isEqualTo(1);
    // The scrapes themselves are counted as operations.
    assertThat(text.value("zonda_http_responses_total{code=\"2xx\"}")).isZero();
  }

  @Test
  void topPrintsJsonForScripts() {
    assertThat(run("top", "--once", "--json")).as(err.toString()).isZero();
    assertThat(JsonReader.object(out.toString()).keySet()).contains("metrics", "links");
    assertThat(out.toString()).contains("\"name\":\"zonda_store_ok\"");
  }

  @Test
  void theHistoryIsForMetersThatHaveOne() {
    assertThat(run("server", "history", "--metrics", "zonda_sessions")).as(err.toString()).isZero();
    assertThat(run("server", "history", "--metrics", "zonda_nothing")).isEqualTo(1);
    assertThat(err.toString()).contains("There is no history of zonda_nothing.");
  }
}
