package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import im.zonda.app.control.DataFolder;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.database.TestAuthority;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// `zonda status`, `invite` and `circle`, without a server and in one that runs in this process.
class ServerCommandsTest {
  private static final String ALLOWED = "[services.invitations]\naccounts = \"admins\"\n";
  private static final Pattern LINKS =
      Pattern.compile(
          """
          https://a\\.example:5281/invite/([0-9a-f]+)
          xmpp:(?:juliet@)?a\\.example\\?register;preauth=\\1
          expires (\\S+)
          """);

  /// A data folder with the accounts of Romeo and Juliet's nurse, which each test has a copy of.
  @TempDir private static Path accounts = Path.of("");

  @TempDir private Path folder;
  private Path file;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void configure() throws Exception {
    file = write("");
    Path data = folder.resolve("data");
    Path kept = accounts.resolve("data");
    if (Files.notExists(kept)) {
      Path password = Files.writeString(folder.resolve("password"), "secret-of-theirs\n");
      for (String user : new String[] {"romeo", "nurse"}) {
        assertThat(run("user", "add", user, "--password-file", password.toString())).isZero();
      }
      copy(data, kept);
    } else {
      copy(kept, data);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(
            each, to.resolve(from.relativize(each).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private Path write(String more) throws Exception {
    return Files.writeString(
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
        """
                .formatted(folder.resolve("data"))
            + more);
  }

  @Test
  void printsWhatTheServerDoes() throws Exception {
    whileRunning(() -> {
      assertThat(run("status")).isZero();
      assertThat(out.toString())
          .startsWith("zonda ")
          .contains("sessions   0 online, 0 detached; 0 connections")
          .contains("homes      0 accounts, 0 rooms")
          .containsPattern(
              "hosts      a.example: 0 users online; certificate until \\S+, \\d+ days left")
          .containsPattern("listeners  127.0.0.1:\\d+ \\(c2s.listen\\)")
          .containsPattern("memory     \\S+ MiB of the heap are used, \\d+ MiB at most")
          .containsPattern("disk       \\d+ \\S+ of \\d+ MiB are free")
          .containsPattern("database   SQLite \\S+ at \\S+zonda.db: storing")
          .contains("\n  accounts ")
          .contains("\n  none-waits ");
      assertThat(run("status", "--json")).isZero();
      assertThat(out.toString())
          .startsWith("{\"version\":")
          .contains("\"storing\":true")
          .contains("\"name\":\"vcard\",\"entries\":0,")
          .endsWith("}\n");
    });
  }

  @Test
  void balancersAreToldThatTheServerIsReady() throws Exception {
    whileRunning(() -> {
      assertThat(run("status", "--json")).isZero();
      Matcher port =
          Pattern.compile("\\{\"key\":\"http.listen\",\"address\":\"(127.0.0.1:\\d+)\"}")
              .matcher(out.toString());
      assertThat(port.find()).isTrue();
      assertThat(get("http://" + port.group(1) + "/health/ready")).isEqualTo("200 ok\n");
      assertThat(get("http://" + port.group(1) + "/health/live")).isEqualTo("200 ok\n");
    });
  }

  private static String get(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void doctorExaminesTheRunningServer() throws Exception {
    whileRunning(() -> {
      int code = run("doctor");
      String text = out.toString();
      assertThat(code).as(text).isEqualTo(text.contains("\nPROBLEM ") ? 1 : 0);
      assertThat(text)
          .containsPattern("open files +the server may open")
          .containsPattern("ok +database +SQLite \\S+ stores\n")
          .containsPattern("ok +port +127\\.0\\.0\\.1:\\d+ \\(c2s.listen\\) accepts connections\n")
          .containsPattern("ok +port +127\\.0\\.0\\.1:\\d+ \\(http.listen\\) accepts connections\n")
          .containsPattern("ok +certificate +that of a.example is self-signed")
          .containsPattern("ok +DNS +a.example is a name for this machine")
          .containsPattern("\\d ok\n$");
      assertThat(run("doctor", "--json")).isEqualTo(code);
      assertThat(out.toString()).startsWith("{\"problems\":").contains("\"findings\":[{");
    });
  }

  @Test
  void theAddressesForEdgesAreListedToo() throws Exception {
    TestAuthority authority = TestAuthority.create(folder);
    write(
        """
        [edges]
        listen = ["127.0.0.1:0"]
        certificate = "%s"
        key = "%s"
        ca = "%s"
        """
            .formatted(authority.certificate(), authority.key(), authority.authority()));
    whileRunning(() -> {
      assertThat(run("status")).isZero();
      assertThat(out.toString()).containsPattern(" 127.0.0.1:\\d+ \\(edges.listen\\)\n");
      run("doctor");
      assertThat(out.toString())
          .containsPattern("127.0.0.1:\\d+ \\(edges.listen\\) accepts connections\n");
    });
  }

  @Test
  void doctorWorksWithoutAServer() {
    run("doctor");
    assertThat(out.toString())
        .startsWith("ok       server        not running")
        .contains("not running: no address was tried")
        .doesNotContain("accepts connections");
  }

  @Test
  void saysThatNoServerIsRunning() throws Exception {
    assertThat(run("status")).isEqualTo(1);
    assertThat(err.toString()).startsWith("zonda: no server is running with the data folder ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void operationsRunInTheServerOrOnItsStores() throws Exception {
    assertThat(run("job", "list")).isZero();
    assertThat(out.toString()).isEqualTo("none\n");
    assertThat(run("job", "show", "j1")).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("zonda: There is no job j1 that goes on.\n");
    whileRunning(() -> {
      assertThat(run("job", "list", "--json")).isZero();
      assertThat(out.toString()).isEqualTo("{\"jobs\":[]}\n");
    });
    try (DataFolder taken = DataFolder.take(folder.resolve("data"))) {
      assertThat(taken).isNotNull();
      assertThat(run("job", "list")).isEqualTo(1);
      assertThat(err.toString()).contains("is in use by process");
    }
  }

  @Test
  void aRunningServerSaysWhatItIs() throws Exception {
    whileRunning(() -> {
      assertThat(run("server", "version")).isZero();
      assertThat(out.toString()).startsWith("zonda: ").contains("\njava:  ");
      assertThat(run("server", "status")).isZero();
      assertThat(out.toString()).contains("\nlisteners:\n  key ", "\ncaches:\n");
      assertThat(run("cache", "list")).isZero();
      assertThat(out.toString()).containsPattern("\nvcard +0 +0 B ");
      assertThat(run("cache", "clear")).isZero();
      assertThat(run("certificate", "list")).isZero();
      assertThat(out.toString()).containsPattern("\na.example +a.example, .* yes ");
      assertThat(run("certificate", "reload")).isZero();
      assertThat(out.toString()).isEqualTo("changed: no\n");
      assertThat(run("component", "list")).isZero();
      assertThat(run("server", "edges")).isZero();
      assertThat(out.toString()).isEqualTo("connected: 0\nstreams:   0\n");
      assertThat(run("link", "list")).isEqualTo(1);
      assertThat(err.toString()).contains("s2s.enabled is false");
      assertThat(run("host", "list", "--json")).isZero();
      assertThat(out.toString())
          .startsWith(
              "{\"hosts\":[{\"host\":\"a.example\",\"accounts\":2,"
                  + "\"certificate\":\"self-signed\",")
          .endsWith("\"configured\":\"configuration file\"}]}\n");
      assertThat(run("compliance", "--json")).isZero();
      assertThat(out.toString()).startsWith("{\"version\":\"XMPP");
      assertThat(run("compliance")).isZero();
      assertThat(out.toString()).startsWith("XMPP Compliance Suites");
      assertThat(run("cluster", "status")).isEqualTo(1);
      assertThat(err.toString()).contains("cluster.name is not set");
      assertThat(run("cluster", "members")).isEqualTo(1);
    });
    assertThat(run("server", "status")).isEqualTo(1);
    assertThat(err.toString()).startsWith("zonda: no server is running with the data folder ");
  }

  @Test
  void theLogOfARunningServer() throws Exception {
    whileRunning(() -> {
      assertThat(run("log", "set", "im.zonda.nothing", "debug")).isZero();
      assertThat(run("log", "levels")).isZero();
      assertThat(out.toString()).containsPattern("im.zonda.nothing +debug\n");
      assertThat(run("log", "set", "no logger", "debug")).isEqualTo(2);
      LoggerFactory.getLogger("im.zonda.nothing").atDebug().addKeyValue("x", 1).log("seen_here");
      assertThat(run("log", "show", "--lines", "500")).isZero();
      assertThat(out.toString()).containsPattern("(?m)^\\S+ DEBUG seen_here x=1$");
      assertThat(run("log", "show", "--level", "error", "--lines", "500")).isZero();
      assertThat(out.toString()).doesNotContain("seen_here");
      assertThat(run("log", "reset")).isZero();
      assertThat(run("log", "levels")).isZero();
      assertThat(out.toString()).doesNotContain("im.zonda.nothing");
    });
  }

  /// Its sessions and the occupants of its rooms are those of the server that starts next.
  @Test
  void withoutAServerNothingIsTakenFromTheNextOne() throws Exception {
    Path data = folder.resolve("data");
    Path sessions = Files.writeString(data.resolve("sessions"), "of the last run");
    Path occupants = Files.writeString(data.resolve("occupants.rooms.a.example"), "of the last");
    assertThat(run("job", "list")).isZero();
    assertThat(sessions).hasContent("of the last run");
    assertThat(occupants).hasContent("of the last");
    for (String made : new String[] {"secret", "control", "self-signed.key"}) {
      assertThat(data.resolve(made)).doesNotExist();
    }
  }

  @Test
  void invitationsOfAStoppedServer() throws Exception {
    assertThat(run("invite")).isEqualTo(2);
    assertThat(err.toString()).contains("services.invitations.accounts");
    write(ALLOWED);
    invitations();
  }

  @Test
  void invitationsOfARunningServer() throws Exception {
    write(ALLOWED);
    whileRunning(this::invitations);
  }

  private void invitations() {
    assertThat(run("invite")).isZero();
    assertThat(out.toString()).matches(LINKS);
    assertThat(run("invite", "juliet", "--from", "romeo", "--expires", "3d")).isZero();
    Matcher links = LINKS.matcher(out.toString());
    assertThat(links.matches()).isTrue();
    assertThat(run("invite", "list")).isZero();
    assertThat(out.toString().lines()).hasSize(2);
    Matcher line =
        Pattern.compile("([0-9a-f]{12})  (\\S+)  romeo@a\\.example  account juliet\n")
            .matcher(out.toString());
    assertThat(line.find()).isTrue();
    assertThat(line.group(2)).isEqualTo(links.group(2));
    assertThat(run("invite", "juliet")).isEqualTo(2);
    assertThat(err.toString()).contains("juliet is reserved");
    assertThat(run("invite", "revoke", links.group(1))).isZero();
    assertThat(out.toString()).isEqualTo("revoked " + line.group(1) + "\n");
    assertThat(run("invite", "revoke", line.group(1))).isEqualTo(2);
    assertThat(err.toString()).contains("no such invitation");
    assertThat(run("invite", "list", "--json")).isZero();
    Matcher json =
        Pattern.compile(
                "\\[\\{\"id\":\"(.{12})\",\"expires\":\".*Z\",\"inviter\":\"a.example\","
                    + "\"createsAccount\":true,\"username\":null,\"circle\":null}]\n")
            .matcher(out.toString());
    assertThat(json.matches()).isTrue();
    assertThat(run("invite", "revoke", json.group(1))).isZero();
    assertThat(run("invite", "list")).isZero();
    assertThat(out.toString()).isEqualTo("no invitations\n");
  }

  @Test
  void wrongInvitationsAreExplained() throws Exception {
    write(ALLOWED);
    refused("juliet@b.example is not of this server; its hosts are a.example", "juliet@b.example");
    refused("romeo@a.example exists already", "romeo");
    refused("no such account: nobody@a.example", "--from", "nobody");
    refused("no such circle: Family", "--circle", "Family");
    refused("--expires is a time such as 12h or 3d, not \"soon\"", "--expires", "soon");
    refused("an invitation is valid from 1m to 366d", "--expires", "1s");
    refused("b.example is not a host of this server", "list", "b.example");
  }

  private void refused(String text, String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "invite";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    assertThat(run(all)).isEqualTo(2);
    assertThat(err.toString()).contains(text);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void jsonHasEverythingOfAnInvitation() throws Exception {
    write(ALLOWED);
    assertThat(run("circle", "create", "Family")).isZero();
    assertThat(run("invite", "juliet", "--circle", "family", "--json")).isZero();
    assertThat(out.toString())
        .matches(
            "\\{\"page\":\"https://a\\.example:5281/invite/([0-9a-f]{40})\","
                + "\"uri\":\"xmpp:juliet@a\\.example\\?register;preauth=\\1\",\"id\":\".{12}\","
                + "\"expires\":\".*Z\",\"inviter\":\"a\\.example\",\"createsAccount\":true,"
                + "\"username\":\"juliet\",\"circle\":\"Family\"}\n");
    assertThat(run("invite", "list")).isZero();
    assertThat(out.toString()).endsWith("  account juliet, circle Family\n");
  }

  @Test
  void circlesOfAStoppedServerWaitUntilItStarts() throws Exception {
    assertThat(run("circle", "list")).isZero();
    assertThat(out.toString()).isEqualTo("no circles\n");
    assertThat(run("circle", "create", "Our Town", "romeo", "nurse@a.example")).isZero();
    assertThat(out.toString())
        .isEqualTo("created Our Town, 2 members, room our-town@rooms.a.example\n");
    assertThat(run("circle", "show", "our town")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            Our Town
            room     our-town@rooms.a.example
            members  2
              nurse@a.example  (joining)
              romeo@a.example  (joining)
            """);
    whileRunning(() -> {
      awaitMembers("Our Town", 2);
      assertThat(run("circle", "remove", "Our Town", "nurse")).isZero();
      awaitMembers("Our Town", 1);
    });
    assertThat(run("circle", "show", "Our Town", "--json")).isZero();
    assertThat(out.toString())
        .matches(
            "\\{\"name\":\"Our Town\",\"room\":\"our-town@rooms\\.a\\.example\",\"created\":\".*Z\","
                + "\"members\":\\[\"romeo@a\\.example\"],\"joining\":\\[]}\n");
  }

  @Test
  void circlesOfARunningServer() throws Exception {
    whileRunning(() -> {
      assertThat(run("circle", "create", "Family", "romeo")).isZero();
      awaitMembers("Family", 1);
      assertThat(run("circle", "add", "Family", "nurse", "romeo")).isZero();
      assertThat(out.toString()).isEqualTo("added 1 member\n");
      awaitMembers("Family", 2);
      assertThat(run("circle", "list")).isZero();
      assertThat(out.toString()).isEqualTo("Family  2 members  family@rooms.a.example\n");
      assertThat(run("circle", "delete", "Family")).isEqualTo(2);
      assertThat(err.toString()).contains("nothing was removed: add --yes");
      assertThat(run("circle", "delete", "Family", "--yes")).isZero();
      assertThat(run("circle", "list")).isZero();
      assertThat(out.toString()).isEqualTo("no circles\n");
    });
  }

  @Test
  void aRequestHasAsManyUsersAsACircle() throws Exception {
    whileRunning(() -> {
      String[] arguments = new String[203];
      Arrays.setAll(arguments, i -> "user" + i);
      arguments[0] = "circle";
      arguments[1] = "create";
      arguments[2] = "Family";
      assertThat(run(arguments)).isEqualTo(2);
      assertThat(err.toString()).contains("no such account: user3@a.example");
    });
  }

  @Test
  void wrongCircleCommandsAreExplained() {
    assertThat(run("circle")).isEqualTo(2);
    assertThat(run("circle", "create", "Family", "nobody")).isEqualTo(2);
    assertThat(err.toString()).contains("no such account: nobody@a.example");
    assertThat(run("circle", "create", "@")).isEqualTo(2);
    assertThat(err.toString()).contains("use letters or digits");
    assertThat(run("circle", "add", "Family", "romeo")).isEqualTo(2);
    assertThat(err.toString()).contains("no such circle: Family");
    assertThat(run("circle", "list", "--host", "b.example")).isEqualTo(2);
    assertThat(err.toString()).contains("its hosts are a.example");
    assertThat(run("circle", "list")).isZero();
    assertThat(out.toString()).isEqualTo("no circles\n");
  }

  private void awaitMembers(String circle, int count) {
    Eventually.await(
        count + " members of " + circle,
        () ->
            run("circle", "show", circle) == 0
                && out.toString().contains("members  " + count + "\n")
                && !out.toString().contains("joining"));
  }

  private void whileRunning(Runnable task) throws Exception {
    RunningServer server =
        new ServerProcess(new ConfigFile(file), code -> {})
            .start(new ConfigFile(file).read().config());
    try {
      task.run();
    } finally {
      server.close();
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = String.valueOf(file);
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }
}
