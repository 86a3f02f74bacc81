package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.noloss.QuickStarts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The packaged server as a process of its own, as administrators meet it.
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class PackagedServerIT {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();
  private Path config = Path.of("");
  private String options = "-XX:TieredStopAtLevel=1";

  @BeforeAll
  static void prepare() throws IOException {
    QuickStarts.prepare();
  }

  @BeforeEach
  void writeConfiguration() throws IOException {
    config =
        Files.writeString(
            folder.resolve("zonda.toml"),
            """
            hosts = ["example.org"]
            [http]
            listen = []
            listen-tls = []
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = ["127.0.0.1:0"]
            """);
  }

  @AfterEach
  void endProcesses() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void itStartsOffersFeaturesAndStopsWhenTold() throws Exception {
    Running server = start();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("<stream:stream xmlns='jabber:client' to='example.org' version='1.0'"
                  + " xmlns:stream='http://etherx.jabber.org/streams'>")
              .getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      assertThat(readUntil(in, "</stream:features>")).contains("urn:ietf:params:xml:ns:xmpp-tls");
      server.process().destroy(); // SIGTERM
      assertThat(readUntil(in, "</stream:stream>")).contains("<system-shutdown");
      assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.process().exitValue()).as("a clean stop is no failure").isZero();
    }
    assertThat(Files.exists(folder.resolve("data/control"))).isFalse();
    assertThat(run("", "user", "list").output()).isEmpty(); // the folder is free again
  }

  @Test
  void serversThatAreKilledLeaveOneNativeLibraryInTheirFolder() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    options += " -Djava.io.tmpdir=" + temporary;
    for (int i = 0; i < 2; i++) {
      start().process().destroyForcibly().waitFor();
    }
    try (Stream<Path> left = Files.list(temporary);
        Stream<Path> kept = Files.list(folder.resolve("data/native"))) {
      assertThat(left.filter(file -> file.toString().contains("sqlite"))).isEmpty();
      assertThat(kept).hasSize(1);
    }
  }

  /// The time of its start, the JVM's options, the lock and the rights of its folder. The time that
  /// is shown began after the test started the process.
  @Test
  void aRunningServerShowsItsStartAndGuardsItsFolder() throws Exception {
    long before = System.nanoTime();
    Running server = start();
    double most = (System.nanoTime() - before) / 1e9;
    Matcher shown = Pattern.compile("is ready after (\\d+\\.\\d\\d) s\n").matcher(server.said());
    assertThat(shown.find()).as(server.said()).isTrue();
    assertThat(Double.parseDouble(shown.group(1))).isBetween(0.01, most);
    assertBuffersAreNotWatched(server);
    assertFolderIsItsOwners();
    Result second = run("", "start");
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.errors())
        .contains(
            "the data folder "
                + folder.resolve("data")
                + " is in use by process "
                + server.process().pid());
  }

  private void assertBuffersAreNotWatched(Running server) throws IOException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.process().pid()),
                "VM.system_properties")
            .redirectErrorStream(true)
            .start();
    processes.add(jcmd);
    assertThat(new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("io.netty.leakDetection.level=disabled");
  }

  private void assertFolderIsItsOwners() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data"))))
        .isEqualTo("rwx------");
    for (String name : List.of("control", "secret", "zonda.db", "self-signed.key")) {
      Path file = folder.resolve("data").resolve(name);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .as(name)
          .isEqualTo("rw-------");
    }
  }

  @Test
  void accountsAreManagedWhileTheServerRunsAndWhenItDoesNot() throws Exception {
    assertThat(run("secret\n", "user", "add", "before").output())
        .isEqualTo("added before@example.org\n");
    Running server = start();
    assertThat(run("secret\n", "user", "add", "during@example.org").output())
        .isEqualTo("added during@example.org\n");
    Result again = run("secret\n", "user", "add", "before");
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.errors()).contains("before@example.org already exists");
    assertThat(run("", "user", "list").output())
        .isEqualTo("before@example.org\nduring@example.org\n");
    assertThat(run("other\n", "user", "passwd", "before").code()).isZero();
    assertThat(run("", "user", "remove", "before").errors()).contains("add --yes");
    assertThat(run("", "user", "remove", "before", "--yes").code()).isZero();
    assertThat(run("", "user", "remove", "before", "--yes").errors()).contains("no such account");
    server.process().destroy();
    assertThat(server.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(run("", "user", "list").output()).isEqualTo("during@example.org\n");
  }

  private void reloadBySignal(Process server) throws Exception {
    Files.writeString(folder.resolve("hosts.d/signal.example.toml"), "");
    Path status = Path.of("/proc", Long.toString(server.pid()), "status");
    if (!Files.exists(status)
        || Files.readString(status).matches("(?s).*SigIgn:\\s*[0-9a-f]*[13579bdf]\\n.*")) {
      run("", "config", "reload"); // with nohup, for instance, a JVM ignores the signal
      return;
    }
    String pid = Long.toString(server.pid());
    assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    String listed = "";
    for (int i = 0; i < 20 && !listed.contains("signal.example"); i++) {
      listed = run("", "host", "list").output();
    }
    assertThat(listed).contains("signal.example");
  }

  /// What a signal does; the rest of the commands for hosts follows in [#hostsAreManaged].
  @Test
  void aSignalMakesTheServerReadItsConfigurationAgain() throws Exception {
    Running server = start();
    Files.createDirectories(folder.resolve("hosts.d"));
    reloadBySignal(server.process());
    server.process().destroy();
    assertThat(server.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /// Fifteen processes: with `./zonda test --all`. `HostedAccountsTest`, `HostReloadTest` and
  /// `HostSettingsTest` prove the same of commands and operations in this process.
  @Test
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  void hostsAreManaged() throws Exception {
    assertThat(run("", "host", "add", "early.example").output())
        .isEqualTo("added early.example; the server is not running\n");
    assertThat(run("", "config", "reload").errors()).contains("no server is running");
    Running server = start();
    assertThat(server.said()).contains("hosts      example.org, early.example");
    Result added = run("", "host", "add", "late.example", "--no-registration");
    assertThat(added.output()).as(added.errors()).endsWith("added late.example\n");
    assertThat(run("secret\n", "user", "add", "anna@late.example").code()).isZero();
    assertThat(run("", "host", "list").output())
        .contains("late.example        1 account   hosts.d/late.example.toml");
    Result wrong = run("", "host", "add", "b.example", "--contact", "nobody");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.errors()).contains("hosts.d/b.example.toml:3:12: host.b.example.contact must");

    reloadBySignal(server.process());

    assertThat(run("", "host", "remove", "late.example", "--erase").errors()).contains("--yes");
    assertThat(run("", "host", "remove", "late.example", "--erase", "--yes").output())
        .isEqualTo("removed late.example\nerased 1 accounts and rooms\n");
    assertThat(run("", "config", "reload").output()).isEqualTo("nothing has changed\n");
    server.process().destroy();
    assertThat(server.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(run("", "host", "remove", "signal.example").output())
        .isEqualTo("removed signal.example; the server is not running\n");
    assertThat(run("", "host", "remove", "example.org").errors())
        .contains("remove it from hosts in the configuration file");
    assertThat(run("", "host", "list").output().lines()).hasSize(2);
  }

  @Test
  void aListOfAccountsIsAddedAndItsMistakesAreTold() throws Exception {
    int people = ALL ? 300 : 10; // in two batches or one
    StringBuilder lines = new StringBuilder("# our people\n");
    for (int i = 0; i < people; i++) {
      lines.append("user").append(i).append(",\"pass,word ").append(i).append("\"\n");
    }
    Path csv = folder.resolve("people.csv");
    Files.writeString(csv, lines + "user7,again\nno password\nuser@other.example,x\n");
    Result refused = run("", "user", "add", "--from", csv.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output()).isEmpty();
    assertThat(refused.errors())
        .contains(
            "line " + (people + 2) + ": user7@example.org is already in line 9",
            "line " + (people + 3) + ": ",
            "line " + (people + 4) + ": other.example is not a host of this server");
    Files.writeString(csv, lines);
    Result added = run("", "user", "add", "--from", csv.toString());
    assertThat(added.code()).isZero();
    assertThat(added.output()).isEqualTo("added " + people + " of " + people + "\n");
  }

  @Test
  void mistakesInTheConfigurationAreTold() throws Exception {
    Files.writeString(config, "hosts = [\"example.org\"]\ndatta = \"x\"\n");
    List<String> commands =
        ALL
            ? List.of("start", "user list", "config check", "config show")
            : List.of("start", "config check");
    for (String command : commands) {
      Result result = run("", command.split(" "));
      assertThat(result.code()).as(command).isEqualTo(2);
      assertThat(result.errors())
          .contains(config + ":2:1: unknown key datta; did you mean \"data\"?\n1 error");
    }
  }

  private record Running(Process process, int port, String said) {}

  private record Result(int code, String output, String errors) {}

  private Running start() throws IOException {
    Path errors = folder.resolve("errors-" + processes.size());
    Process process = launch("start").redirectError(errors.toFile()).start();
    processes.add(process);
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    String line = reader.readLine();
    while (line != null) {
      said.append(line).append('\n');
      if (line.startsWith("  add users")) {
        assertThat(said.toString()).startsWith("zonda ").contains(" is ready");
        Matcher matcher = ADDRESS.matcher(said);
        assertThat(matcher.find()).isTrue();
        return new Running(process, Integer.parseInt(matcher.group(1)), said.toString());
      }
      line = reader.readLine();
    }
    throw new AssertionError("the server did not start: " + said + Files.readString(errors));
  }

  private Result run(String input, String... arguments) throws IOException, InterruptedException {
    Path errors = folder.resolve("errors-" + processes.size());
    Process process = launch(arguments).redirectError(errors.toFile()).start();
    processes.add(process);
    try (OutputStream out = process.getOutputStream()) {
      out.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return new Result(code, output, Files.readString(errors));
  }

  /// The launcher of the packaged distribution with the test's own configuration.
  private ProcessBuilder launch(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of("target", "zonda", "zonda").toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    command.add("--config");
    command.add(config.toString());
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("ZONDA_JAVA", System.getProperty("java.home"));
    builder.environment().put("ZONDA_JAVA_OPTS", options);
    return builder;
  }

  private static String readUntil(InputStream in, String end) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(end) < 0) {
      int next = in.read();
      assertThat(next).as("end of stream after " + read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }
}
