package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zonda status` against a server that runs in this process.
class StatusCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsWhatTheServerDoes() throws Exception {
    Path file = configuration();
    RunningServer server =
        new ServerProcess(new ConfigFile(file), code -> {})
            .start(new ConfigFile(file).read().config());
    try {
      assertThat(run("status", "--config", file.toString())).isZero();
      assertThat(out.toString())
          .startsWith("zonda ")
          .contains("sessions   0 online, 0 detached; 0 connections")
          .contains("homes      0 accounts, 0 rooms")
          .containsPattern("database   SQLite \\S+ at \\S+zonda.db: storing")
          .contains("\n  accounts ")
          .contains("\n  none-waits ");
      assertThat(run("status", "--json", "--config", file.toString())).isZero();
      assertThat(out.toString())
          .startsWith("{\"version\":")
          .contains("\"storing\":true")
          .contains("{\"name\":\"vcard\",\"entries\":0,")
          .endsWith("}\n");
    } finally {
      server.close();
    }
  }

  @Test
  void saysThatNoServerIsRunning() throws Exception {
    assertThat(run("status", "--config", configuration().toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("zonda: no server is running with the data folder ");
    assertThat(out.toString()).isEmpty();
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        folder.resolve("zonda.toml"),
        """
        hosts = ["a.example"]
        data = "%s"
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = ["127.0.0.1:0"]
        listen-tls = []
        """
            .formatted(folder.resolve("data")));
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments);
  }
}
