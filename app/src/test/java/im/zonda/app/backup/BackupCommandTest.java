package im.zonda.app.backup;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.backup.command.BackupCommand;
import im.zonda.app.backup.command.RestoreCommand;
import im.zonda.app.command.Commands;
import im.zonda.app.command.Program;
import im.zonda.testkit.FakeClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zonda backup` and `zonda restore`.
class BackupCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final FakeClock clock = new FakeClock();
  private String data = "";

  @BeforeEach
  void fill() throws IOException {
    data = new SampleServer(folder, clock).fill().data().toString();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = Arrays.copyOf(arguments, arguments.length + 4);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = folder.resolve("zonda.toml").toString();
    all[arguments.length + 2] = "--data";
    all[arguments.length + 3] = data;
    Program program =
        new Program(
            (options, exitWhenReady, printer) -> 0,
            (config, printer) -> 0,
            config -> {
              throw new IllegalStateException("no stores are needed");
            },
            (config, files) -> {
              throw new IllegalStateException("no operation is run");
            },
            (config, running) -> {
              throw new IllegalStateException("nothing is checked");
            },
            Set.of(),
            List.of(BackupCommand.class, RestoreCommand.class),
            commands -> {});
    return Commands.of(program, new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }

  private String onlyBackup() throws IOException {
    return Backups.list(folder.resolve("to")).getFirst().folder().toString();
  }

  @Test
  void aBackupIsWrittenVerifiedAndRestored() throws IOException {
    String to = folder.resolve("to").toString();
    assertThat(run("backup", to)).isZero();
    String backup = onlyBackup();
    assertThat(out.toString())
        .startsWith("wrote " + backup + ": 2 accounts, 0 rooms, 0 messages, 2 uploaded files, ");
    assertThat(run("backup", "--verify", backup)).isZero();
    assertThat(out.toString()).startsWith(backup + " is whole, of ").contains(": 2 accounts, ");
    data = folder.resolve("new").toString();
    assertThat(run("restore", backup)).isZero();
    assertThat(out.toString())
        .startsWith("restored the backup of ")
        .contains("\ndata folder " + data + ", database sqlite:zonda.db\n")
        .endsWith("the configuration of the backup is in " + backup + "/config\n");
    assertThat(run("restore", backup)).isEqualTo(1);
    assertThat(err.toString()).contains("zonda: " + data + " is not empty (it has acme, ");
  }

  @Test
  void theConfigurationIsWrittenIntoAnEmptyFolder() throws IOException {
    assertThat(run("backup", folder.resolve("to").toString())).isZero();
    String backup = onlyBackup();
    data = folder.resolve("new").toString();
    Path config = Files.createDirectories(folder.resolve("config"));
    Files.writeString(config.resolve("other.toml"), "x");
    assertThat(run("restore", backup, "--config-to", config.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(config + " is not empty (it has other.toml)");
    assertThat(Path.of(data).resolve("zonda.db")).doesNotExist();
    Files.delete(config.resolve("other.toml"));
    // What another configuration has stays, even by the same name.
    Files.writeString(config.resolve("zonda.toml"), "hosts = []");
    assertThat(run("restore", backup, "--config-to", config.toString())).isEqualTo(1);
    assertThat(config.resolve("zonda.toml")).hasContent("hosts = []");
    Files.delete(config.resolve("zonda.toml"));
    // Left by a call that was interrupted.
    Files.copy(Path.of(backup, "config/zonda.toml"), config.resolve("zonda.toml"));
    assertThat(run("restore", backup, "--config-to", config.toString())).isZero();
    assertThat(out.toString())
        .endsWith("the configuration of the backup was written to " + config + "\n");
    for (String name : List.of("zonda.toml", "hosts.d/b.example.toml")) {
      assertThat(config.resolve(name)).hasSameTextualContentAs(Path.of(backup, "config", name));
    }
  }

  @Test
  void oldBackupsAreRemoved() throws IOException {
    String to = folder.resolve("to").toString();
    assertThat(run("backup", to)).isZero();
    String first = onlyBackup();
    assertThat(run("backup", to, "--keep", "1")).isZero();
    assertThat(out.toString()).startsWith("removed " + first + "\nwrote " + to);
    assertThat(Path.of(first)).doesNotExist();
  }

  @Test
  void problemsAreReported() throws IOException {
    String to = folder.resolve("to").toString();
    assertThat(run("backup", to)).isZero();
    Path backup = Path.of(onlyBackup());
    Files.writeString(backup.resolve("secret"), "x");
    Files.delete(backup.resolve("acme/account.key"));
    assertThat(run("backup", "--verify", backup.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("zonda: " + backup + " is not whole: ")
        .contains("secret is damaged: it has 1 bytes instead of 32")
        .contains("; acme/account.key is missing");
    data = folder.resolve("new").toString();
    assertThat(run("restore", backup.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(" cannot be restored: ");
    assertThat(Path.of(data)).doesNotExist();
  }

  @Test
  void wrongOptionsEndWithTwo() {
    assertThat(run("backup")).isEqualTo(2);
    assertThat(run("backup", "x", "--verify", "--keep", "2")).isEqualTo(2);
    assertThat(run("backup", folder.resolve("to").toString(), "--keep", "-1")).isEqualTo(2);
    assertThat(folder.resolve("to")).doesNotExist();
    assertThat(run("restore")).isEqualTo(2);
  }

  @Test
  void aMissingBackupIsReported() {
    String none = folder.resolve("none").toString();
    assertThat(run("backup", "--verify", none)).isEqualTo(1);
    assertThat(err.toString())
        .endsWith("zonda: " + none + " is not whole: manifest.json is missing\n");
  }
}
