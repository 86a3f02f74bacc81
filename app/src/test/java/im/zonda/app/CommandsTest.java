package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import im.zonda.app.command.PlainStart;
import im.zonda.app.command.Program;
import im.zonda.app.status.Version;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpNamesEveryCommand() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "start", "status", "user", "host", "database", "config", "version", "test", "prepare");
    assertThat(run("help", "start")).isZero();
    assertThat(out.toString()).doesNotContain("--exit-when-ready");
  }

  @Test
  void helpBeginsWithTheFirstSteps() {
    assertThat(run("help")).isZero();
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")).toList())
        .containsSubsequence(
            "First steps:",
            " start Start the server in the foreground; stop it with Ctrl-C or",
            " demo Start a server on this machine with twenty people who talk in",
            "Accounts:",
            "Hosts:",
            "Data:",
            "Federation and cluster:",
            "Other:");
    assertThat(out.toString()).containsPattern("\n  help +Display help").doesNotContain("%n");
    String other = out.toString().substring(out.toString().indexOf("Other:"));
    assertThat(
            other
                .lines()
                .filter(line -> line.matches("  [a-z].*"))
                .map(line -> line.split(" +", -1)[1]))
        .containsExactlyInAnyOrder("compliance", "completion", "manual", "version", "help");
    assertThat(run("help", "user", "add")).isZero();
    assertThat(out.toString()).contains("Examples:\n  zonda user add alice@example.org\n");
  }

  @Test
  void everyCommandHasHelpAndOnlyTheFirstAVersion() {
    CommandLine root =
        Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(root.getCommandSpec().findOption("-V")).isNotNull();
    List<CommandLine> open = new ArrayList<>(root.getSubcommands().values());
    while (!open.isEmpty()) {
      CommandLine each = open.removeLast();
      open.addAll(each.getSubcommands().values());
      String name = each.getCommandSpec().qualifiedName();
      assertThat(each.getCommandSpec().findOption("--help")).as(name).isNotNull();
      assertThat(each.getCommandSpec().findOption("-V")).as(name).isNull();
    }
    assertThat(run("version", "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: zonda version [-h]");
    assertThat(run("cluster", "status", "-h")).isZero();
    assertThat(out.toString()).startsWith("Usage: zonda cluster status [-h]");
  }

  @Test
  void bashCompletesCommands() throws Exception {
    assertThat(run("completion")).isZero();
    Path script = Files.writeString(folder.resolve("completion"), out.toString());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source \"$0\"; COMP_WORDS=(zonda user re); COMP_CWORD=2; _complete_zonda;"
                    + " echo \"${COMPREPLY[@]}\"",
                script.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("remove\n");
    assertThat(out.toString()).doesNotContain("exit-when-ready");
  }

  @Test
  void fishCompletesCommands() {
    assertThat(run("completion", "--fish")).isZero();
    assertThat(out.toString().lines().toList())
        .contains(
            "complete -c zonda -f -n '__fish_use_subcommand' -a job -d 'Work that takes long.'",
            "complete -c zonda -f -n '__fish_seen_subcommand_from log; and not"
                + " __fish_seen_subcommand_from explain levels reset set show tail' -a tail -d 'Follow the"
                + " log.'",
            "complete -c zonda -n '__fish_seen_subcommand_from log; and"
                + " __fish_seen_subcommand_from tail' -l level -r -f -a 'off error warn info debug"
                + " trace' -d 'Only lines of this level and above: off, error, warn, info, debug,"
                + " trace (default: trace).'");
    assertThat(out.toString()).doesNotContain("exit-when-ready");
  }

  @Test
  void manualPagesSayWhatTheHelpSays() throws Exception {
    Path pages = folder.resolve("man1");
    assertThat(run("manual", pages.toString())).isZero();
    assertThat(pages.resolve("zonda.1"))
        .content()
        .startsWith(".TH ZONDA 1 \"\" \"zonda ")
        .contains(".SH NAME\nzonda \\- A real\\-time collaboration server on XMPP\n")
        .contains(".TP\n.B user\n");
    assertThat(pages.resolve("zonda-user.1"))
        .content()
        .contains(
            ".SS zonda user add\n", "\n.B \\-\\-from FILE\n", "zonda user add alice@example.org\n");
    assertThat(pages.resolve("zonda-start.1")).content().doesNotContain("exit\\-when\\-ready");
  }

  @Test
  void versionSaysWhatRuns() {
    assertThat(run("version")).isZero();
    assertThat(out.toString())
        .startsWith("zonda ")
        .contains("java " + Runtime.version())
        .doesNotContain("commit");
    String version = Version.current();
    System.setProperty("zonda.commit", "0123456789ab");
    try {
      assertThat(run("--version")).isZero();
    } finally {
      System.clearProperty("zonda.commit");
    }
    assertThat(out.toString()).contains("zonda " + version + " (commit 0123456789ab)\n");
  }

  @Test
  void aWrongCommandLineEndsWithTwo() {
    assertThat(run("strat")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("Unmatched argument at index 0: 'strat'\nDid you mean: zonda start?\n");
    assertThat(run("host", "adz")).isEqualTo(2);
    assertThat(err.toString()).contains("Did you mean: zonda host add?\n");
    assertThat(run("status", "--jsn")).isEqualTo(2);
    assertThat(err.toString()).contains("--json");
    assertThat(run()).isEqualTo(2);
    assertThat(run("user")).isEqualTo(2);
    assertThat(run("user", "add")).isEqualTo(2);
    assertThat(err.toString()).contains("give one account, or a file with --from");
  }

  @Test
  void aPasswordIsNeverAnArgument() {
    assertThat(run("user", "add", "anna", "secret")).isEqualTo(2);
    assertThat(run("user", "add", "anna", "--password", "secret")).isEqualTo(2);
  }

  @Test
  void configCheckAndShow() throws Exception {
    Path file = Files.writeString(folder.resolve("z.toml"), "hosts = [\"a.example\"]\n");
    assertThat(run("config", "check", "--config", file.toString())).isZero();
    assertThat(out.toString()).isEqualTo(file + ": no errors\n");
    assertThat(run("config", "show", "-c", file.toString())).isZero();
    assertThat(out.toString())
        .contains("hosts = [\"a.example\"]")
        .contains("# " + file + ":1:1")
        .contains("# default");
    Files.writeString(file, "host = 1\nlog = 2\n");
    assertThat(run("config", "check", "--config", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(":1:1: ").contains(":2:1: ").contains("2 errors");
  }

  @Test
  void configCheckReadsTheCertificates() throws Exception {
    PemFiles files =
        SelfSigned.ensure(folder, List.of("b.example"), InstantSource.system(), new SecureRandom());
    String tls = "[tls]\ncertificate = \"self-signed.crt\"\nkey = \"%s\"\n";
    Path file = folder.resolve("z.toml");
    Files.writeString(file, "hosts = [\"a.example\"]\n" + tls.formatted("self-signed.key"));
    assertThat(run("config", "check", "-c", file.toString())).isZero();
    assertThat(out.toString())
        .startsWith(file + ":3:1: warning: tls.certificate: no certificate names a.example, rooms.")
        .endsWith("\n" + file + ": no errors, 1 warning\n");
    Files.writeString(
        file, "hosts = [\"b.example\"]\n" + tls.formatted(files.certificate().getFileName()));
    assertThat(run("config", "check", "-c", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            file
                + ":3:1: tls.certificate: "
                + files.certificate()
                + " is no PEM file of a private key\n1 error\n");
  }

  @Test
  void aMissingFileIsReported() {
    assertThat(run("user", "list", "--config", folder.resolve("none.toml").toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("none.toml:1:1: does not exist");
  }

  @Test
  void onlyUserAddCreatesTheDataFolder() throws Exception {
    Path data = folder.resolve("data");
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    String missing = "zonda: the data folder " + data + " does not exist; ";
    String in = data.toString();
    String from = password.toString();
    assertThat(run("user", "list", "--data", in)).isEqualTo(2);
    assertThat(err.toString()).startsWith(missing);
    assertThat(run("user", "remove", "anna", "--data", in, "--yes")).isEqualTo(2);
    assertThat(err.toString()).startsWith(missing);
    assertThat(run("user", "passwd", "anna", "--data", in, "--password-file", from)).isEqualTo(2);
    assertThat(err.toString()).startsWith(missing);
    assertThat(data).doesNotExist();
    assertThat(run("user", "add", "anna", "--data", in, "--password-file", from)).isZero();
    assertThat(err.toString()).isEqualTo("zonda: creating the data folder " + data + "\n");
    assertThat(run("user", "list", "--data", in)).isZero();
    assertThat(out.toString()).isEqualTo("anna@localhost\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void filesThatCannotBeUsedAreNamedInWords() throws Exception {
    Path data = Files.writeString(folder.resolve("data"), "a file");
    Path none = folder.resolve("none");
    assertThat(run("user", "add", "anna", "--password-file", none.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("zonda: " + none + " does not exist\n");
    assertThat(run("user", "add", "anna", "--password-file", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("zonda: " + folder + " is a folder, not a file\n");
    assertThat(run("user", "add", "--from", none.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("zonda: " + none + " does not exist\n");
    assertThat(run("start", "--exit-when-ready", "--data", data.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("zonda: " + data + " is not a folder\n");
    Path file = Files.writeString(folder.resolve("z.toml"), "[storage]\nurl = \"${file:none}\"\n");
    assertThat(run("config", "check", "-c", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("z.toml:2:1: cannot read none: " + none + " does not");
  }

  @Test
  void anAccountIsRemovedOnlyIfSomeoneHasSaidYes() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    String in = folder.resolve("data").toString();
    String from = password.toString();
    assertThat(run("user", "add", "anna", "--data", in, "--password-file", from)).isZero();
    assertThat(run("user", "remove", "anna", "--data", in)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "zonda: nothing was removed: add --yes, as there is no terminal on which to ask\n");
    assertThat(run("user", "list", "--data", in)).isZero();
    assertThat(out.toString()).isEqualTo("anna@localhost\n");
    assertThat(run("user", "remove", "anna", "--data", in, "--yes")).isZero();
    assertThat(out.toString()).isEqualTo("removed anna@localhost\n");
  }

  /// Its threads that are not daemons would otherwise keep the process.
  @ParameterizedTest
  @ValueSource(strings = {"start", "start --exit-when-ready -d x"})
  void anErrorAtTheStartEndsTheProcess(String line) {
    Program works = Main.program();
    Program fails =
        new Program(
            (options, exitWhenReady, printer) -> {
              throw new NoClassDefFoundError("im/zonda/Missing");
            },
            works.edge(),
            works.openStores(),
            works.stopped(),
            works.checks(),
            works.optionalModules(),
            works.commands(),
            works.operations());
    PrintWriter errors = new PrintWriter(err, true);
    assertThat(Main.run(fails, new PrintWriter(out, true), errors, line.split(" ", -1)))
        .isEqualTo(1);
    assertThat(err.toString())
        .startsWith("zonda: internal error: java.lang.NoClassDefFoundError: im/zonda/Missing\n")
        .contains("\tat im.zonda.app.CommandsTest");
  }

  @Test
  void nothingIsAddedFromAFileWithAnError() throws Exception {
    String in = folder.resolve("data").toString();
    Path file = Files.writeString(folder.resolve("staff.csv"), "anna,secret\nbert\nfrida;x\n");
    String from = file.toString();
    assertThat(run("user", "add", "--data", in, "--from", from)).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            file
                + ": line 2: bert@localhost has no password; expected user,password\n"
                + file
                + ": line 3: separated by a semicolon; expected a comma: user,password\n"
                + "no account was added: 2 of 3 lines have errors\n");
    assertThat(folder.resolve("data")).doesNotExist();
    Files.writeString(file, "anna,secret\nbert,secret\n");
    assertThat(run("user", "add", "--data", in, "--from", from)).isZero();
    assertThat(out.toString()).isEqualTo("added 2 of 2\n");
    Files.writeString(file, "anna,secret\ncarla,secret\n");
    assertThat(run("user", "add", "--data", in, "--from", from)).isEqualTo(1);
    assertThat(out.toString()).isEqualTo("added 1 of 2\n");
    assertThat(err.toString()).contains("line 1: anna@localhost already exists");
  }

  @Test
  void thePlainFormsOfStartAreReadWithoutPicocli() {
    assertThat(PlainStart.of(Main.program(), "start")).isNotNull();
    PlainStart both =
        Objects.requireNonNull(
            PlainStart.of(Main.program(), "start", "--data", "d", "--config", "c"));
    assertThat(both.options().file()).isEqualTo(Path.of("c"));
    assertThat(both.exitWhenReady()).isFalse();
    assertThat(PlainStart.of(Main.program())).isNull();
    assertThat(PlainStart.of(Main.program(), "version")).isNull();
    assertThat(PlainStart.of(Main.program(), "start", "--help")).isNull();
    assertThat(PlainStart.of(Main.program(), "start", "--config")).isNull();
    assertThat(PlainStart.of(Main.program(), "start", "--config", "--data")).isNull();
    assertThat(PlainStart.of(Main.program(), "start", "--config", "a", "--config", "b")).isNull();
    assertThat(PlainStart.of(Main.program(), "start", "--confg", "a")).isNull();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments);
  }
}
