package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zonda database` on SQLite files; other databases are tested in `storage-sql`.
class DatabaseCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file = Path.of("");
  private Path password = Path.of("");

  @BeforeEach
  void writeFiles() throws IOException {
    file = write("zonda.toml", "");
    password = Files.writeString(folder.resolve("password"), "a secret\n");
  }

  private Path write(String name, String storage) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        hosts = ["a.example"]
        data = "%s"
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = ["127.0.0.1:0"]
        listen-tls = []
        [storage]
        full-text = true
        %s
        """
            .formatted(folder.resolve("data"), storage));
  }

  private RunningServer start(Path configuration) throws Exception {
    ConfigFile source = new ConfigFile(configuration);
    return new ServerProcess(source, code -> {}).start(source.read().config());
  }

  private void addUser() {
    assertThat(run("user", "add", "anna", "--password-file", password.toString())).isZero();
  }

  @Test
  void theStatusIsPrintedWhileTheServerRunsAndAfterwards() throws Exception {
    RunningServer server = start(file);
    try {
      addUser();
      assertThat(run("database", "status")).isZero();
      assertThat(out.toString())
          .startsWith("SQLite ")
          .contains(" at " + folder.resolve("data/zonda.db") + "\n")
          .containsPattern("\n  schema +\\d+\n")
          .containsPattern("\n  in use +by a server\n")
          .containsPattern("\n  accounts +1\n")
          .containsPattern("\n  messages +0, 0 wait for delivery\n")
          .containsPattern("\n  words +index has all\n");
      assertThat(run("database", "status", "--json")).isZero();
      assertThat(out.toString())
          .startsWith("{\"product\":\"SQLite ")
          .contains("\"inUse\":true")
          .contains("\"copyOf\":null,\"accounts\":1,\"rooms\":0,")
          .endsWith("}\n");
    } finally {
      server.close();
    }
    assertThat(run("database", "status")).isZero();
    assertThat(out.toString()).containsPattern("\n  in use +no\n");
  }

  @Test
  void aMissingDatabaseIsReportedByTheStatus() {
    assertThat(run("database", "status")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("zonda: there is no database " + folder.resolve("data/zonda.db") + "\n");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void theSchemaIsUpgradedOnce() throws Exception {
    Files.createDirectory(folder.resolve("data"));
    assertThat(run("database", "migrate")).isZero();
    assertThat(out.toString()).contains("zonda.db has been upgraded from schema 0 to ");
    assertThat(run("database", "migrate")).isZero();
    assertThat(out.toString()).contains(" already; nothing was changed\n");
  }

  @Test
  void nothingIsDoneWhileTheServerRuns() throws Exception {
    RunningServer server = start(file);
    try {
      assertThat(run("database", "migrate")).isEqualTo(1);
      assertThat(err.toString()).contains("is in use by process");
      assertThat(run("database", "copy", "--to", "sqlite:other.db")).isEqualTo(1);
      assertThat(err.toString()).contains("is in use by process");
      assertThat(folder.resolve("data/other.db")).doesNotExist();
    } finally {
      server.close();
    }
  }

  @Test
  void aServerRunsOnTheCopyThatTheCommandMade() throws Exception {
    addUser();
    assertThat(run("database", "copy", "--to", "sqlite:other.db")).isZero();
    assertThat(out.toString())
        .containsPattern("copied \\d+ rows to sqlite:other.db and compared them\n")
        .contains("full-text search are indexed again")
        .endsWith("[storage]\nurl = \"sqlite:other.db\"\n");
    assertThat(err.toString()).contains("counting rows\n");
    file = write("zonda.toml", "url = \"sqlite:other.db\"");
    RunningServer server = start(file);
    try {
      assertThat(run("user", "list")).isZero();
      assertThat(out.toString()).isEqualTo("anna@a.example\n");
      assertThat(run("database", "status")).isZero();
      assertThat(out.toString()).contains("other.db\n");
    } finally {
      server.close();
    }
  }

  @Test
  void aTargetThatIsNotEmptyIsReported() throws Exception {
    addUser();
    file = write("other.toml", "url = \"sqlite:other.db\"");
    addUser();
    assertThat(run("database", "copy", "--to", "sqlite:zonda.db")).isEqualTo(1);
    assertThat(err.toString()).contains("zonda: ").contains("zonda.db is not empty");
    assertThat(run("database", "copy", "--to", "sqlite:./other.db")).isEqualTo(1);
    assertThat(err.toString()).contains("cannot be copied to itself");
  }

  @Test
  void wrongOptionsEndWithTwo() {
    addUser();
    assertThat(run("database")).isEqualTo(2);
    assertThat(run("database", "copy")).isEqualTo(2);
    assertThat(err.toString()).contains("--to");
    assertThat(run("database", "copy", "--to", "mysql://localhost/zonda")).isEqualTo(2);
    assertThat(err.toString()).contains("--to must be \"sqlite:zonda.db\", \"postgresql://");
    assertThat(run("database", "copy", "--to", "postgresql://anna:secret@localhost/z"))
        .isEqualTo(2);
    assertThat(err.toString()).doesNotContain("secret");
    assertThat(run("database", "copy", "--to", "postgresql://localhost/z")).isEqualTo(2);
    assertThat(err.toString()).contains("--to-user must be given");
    assertThat(run("database", "copy", "--to", "sqlite:x.db", "--to-user", "u")).isEqualTo(2);
    assertThat(err.toString()).contains("are for database servers");
    assertThat(run("database", "copy", "--to", "sqlite:x.db", "--to-password", "p")).isEqualTo(2);
    assertThat(folder.resolve("data/x.db")).doesNotExist();
  }

  @Test
  void aServerThatIsNotThereIsReported() throws Exception {
    addUser();
    int port = FreePorts.next(); // no one listens there
    String url = "postgresql://127.0.0.1:" + port + "/zonda";
    String[] copy = {
      "database", "copy", "--to", url, "--to-user", "u", "--to-password-file", password.toString()
    };
    assertThat(run(copy)).isEqualTo(1);
    assertThat(err.toString().lines().filter(line -> line.startsWith("zonda: " + url))).hasSize(1);
    assertThat(err.toString()).doesNotContain("secret");
    file = write("server.toml", "url = \"" + url + "\"\nuser = \"u\"\npassword = \"secret\"");
    assertThat(run("database", "status")).isEqualTo(1);
    assertThat(err.toString()).startsWith("zonda: " + url).doesNotContain("secret");
    assertThat(run("database", "migrate")).isEqualTo(1);
    assertThat(err.toString()).startsWith("zonda: " + url).doesNotContain("secret");
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = file.toString();
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }
}
