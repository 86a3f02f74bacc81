package im.zonda.app.operation.line;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.command.Commands;
import im.zonda.app.command.Program;
import im.zonda.app.control.ControlSocket;
import im.zonda.app.operation.StandardOperations;
import im.zonda.app.operation.run.StoppedServerRunner;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.runtime.ServerRuntime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// The commands of [TestThings], in this process and by the control socket.
@Timeout(60)
class OperationCommandsTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final TestThings things = new TestThings();
  private final Operations operations = things.operations(workers);
  private Path config;

  @SuppressWarnings("NullAway.Init") // made before each test
  OperationCommandsTest() {}

  @BeforeEach
  void configure() throws Exception {
    Files.createDirectory(folder.resolve("data"));
    config =
        Files.writeString(
            folder.resolve("zonda.toml"),
            "hosts = [\"a.example\"]\ndata = \"" + folder.resolve("data") + "\"\n");
  }

  @AfterEach
  void stop() {
    workers.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aListIsATable(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "list")).isZero();
          assertThat(out.toString())
              .isEqualTo(
                  """
                  name    count    size  fresh  last seen
                  a           5  2048 B  yes    2026-11-28T10:00:00Z
                  b [31m   1234    50 B  no     -
                  """);
          assertThat(run("thing", "list", "--limit", "2")).isZero();
          assertThat(out.toString()).endsWith("There are more: add --after b\n");
          assertThat(run("thing", "list", "--after", "0")).isZero();
          assertThat(out.toString()).isEqualTo("none\n");
          assertThat(run("thing", "list", "--limit", "0")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo("zonda: limit must be a whole number, 1 to 500, not 0.\n");
          assertThat(run("thing", "list", "--json", "--host", "b.example")).isEqualTo(1);
          assertThat(err.toString()).isEqualTo("zonda: b.example is not a host of this server.\n");
          assertThat(run("thing", "list", "--json")).isZero();
          assertThat(out.toString())
              .startsWith("{\"things\":[{\"name\":\"a\",\"count\":5,\"size\":2048,\"fresh\":true,")
              .endsWith("],\"next\":null}\n");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordHasALineForEachValue(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "show", "ü b")).isZero();
          assertThat(out.toString())
              .isEqualTo(
                  """
                  name:    ü b
                  time:    90m
                  colours: red, dark-blue
                  best:
                    name:      best
                    count:     1
                    size:      1 B
                    fresh:     yes
                    last seen: 2026-11-28T10:00:00Z
                  """);
          assertThat(run("thing", "show", "x")).isEqualTo(1);
          assertThat(err.toString()).isEqualTo("zonda: There is no thing x.\n");
          assertThat(run("thing", "show")).isEqualTo(2);
          assertThat(err.toString()).contains("Missing required parameter: 'NAME'");
          assertThat(run("thing")).isEqualTo(2);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesOfEveryKindAreGiven(boolean running) throws Exception {
    String password = Files.writeString(folder.resolve("p"), "secret\n").toString();
    String text = Files.writeString(folder.resolve("t"), "one\ntwo").toString();
    with(
        running,
        () -> {
          assertThat(run("thing", "add", "anna", "box")).isZero();
          assertThat(out.toString()).isEqualTo("said: anna@a.example box null [] false  null []\n");
          String[] all = {
            "thing",
            "add",
            "bert@b.example",
            "box",
            "--colour",
            "dark-blue",
            "--more",
            "x,y",
            "--more",
            "z",
            "--fresh",
            "--password-file",
            password,
            "--text-file",
            text,
            "--words-file",
            text
          };
          assertThat(run(all)).isZero();
          assertThat(out.toString())
              .isEqualTo(
                  "said: bert@b.example box DARK_BLUE [x,y, z] true secret one two [one, two]\n");
          assertThat(run("thing", "add", "anna", "box", "--colour", "green")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo("zonda: colour must be one of red, dark-blue, not green.\n");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void someoneMustHaveSaidYesBeforeSomethingIsDestroyed(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "drop", "a")).isEqualTo(2);
          assertThat(err.toString()).contains("add --yes");
          assertThat(things.dropped).isEmpty();
          assertThat(run("thing", "drop", "a", "--yes")).isZero();
          assertThat(out.toString()).isEmpty();
          assertThat(things.dropped).containsExactly("a");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotDoneIsSaidAndEndsWithOne(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "split", "a")).isEqualTo(1);
          assertThat(out.toString()).isEqualTo("said: half of a\n");
          assertThat(err.toString()).isEqualTo("the rest: It is too hard.\n");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobIsFollowedToItsEnd(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "work", "wood")).isZero();
          assertThat(out.toString()).isEqualTo("Worked on wood.\n");
          assertThat(run("thing", "work", "stone")).isEqualTo(1);
          assertThat(err.toString()).isEqualTo("zonda: It is a stone.\n");
          assertThat(run("thing", "work", "wood", "--json")).isZero();
          assertThat(out.toString()).contains("\"state\":\"done\"", "\"done\":1,\"total\":2");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resultsArePrintedAsTheyCome(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(run("thing", "watch")).isZero();
          assertThat(out.toString()).isEqualTo("said: one\nsaid: two\n");
          assertThat(run("thing", "watch", "--json")).isZero();
          assertThat(out.toString()).isEqualTo("{\"said\":\"one\"}\n{\"said\":\"two\"}\n");
        });
  }

  @Test
  void everyOperationHasACommandWithHelpAndAnExample() {
    CommandLine root = new CommandLine(CommandSpec.create().name("zonda"), factory());
    OperationCommands.addTo(root, StandardOperations.ALL);
    for (Operation<?, ?> each : StandardOperations.ALL) {
      CommandLine command = root;
      for (String word : each.name().split("\\.", -1)) {
        command = Objects.requireNonNull(command.getSubcommands().get(word), each.name());
      }
      String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
      String words = each.name().replace('.', ' ');
      assertThat(help).as(each.name()).contains("Example:").containsPattern("\n  zonda " + words);
      assertThat(help.replaceAll("\\s+", " ")).contains(each.title() + ".");
    }
  }

  /// Every user of the machine can read arguments.
  @Test
  void noSecretIsAnArgument() {
    CommandLine root = new CommandLine(CommandSpec.create().name("zonda"), factory());
    OperationCommands.addTo(root, TestThings.ALL);
    CommandLine thing = Objects.requireNonNull(root.getSubcommands().get("thing"));
    CommandSpec add = Objects.requireNonNull(thing.getSubcommands().get("add")).getCommandSpec();
    assertThat(add.findOption("--password")).isNull();
    assertThat(add.findOption("--password-file").type()).isEqualTo(Path.class);
    assertThat(add.findOption("--words")).isNull();
    assertThat(add.findOption("--words-file").type()).isEqualTo(Path.class);
  }

  private CommandLine.IFactory factory() {
    return commands().getFactory();
  }

  private void with(boolean running, Runnable task) throws Exception {
    if (!running) {
      task.run();
      return;
    }
    ServerRuntime runtime =
        new ServerRuntime(
            InstantSource.system(), (_, _) -> () -> {}, () -> "id", new SecureRandom(), workers);
    try (ControlSocket socket = ControlSocket.open(folder.resolve("data"), operations, runtime)) {
      assertThat(socket).isNotNull();
      task.run();
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = config.toString();
    return commands().execute(all);
  }

  private CommandLine commands() {
    Program program =
        new Program(
            (_, _, _) -> 1,
            (_, _) -> 1,
            _ -> {
              throw new IllegalStateException("no stores here");
            },
            (configuration, _) ->
                new StoppedServerRunner(configuration.data(), operations, () -> {}),
            (_, _) -> {
              throw new IllegalStateException("no checks here");
            },
            Set.of(),
            List.of(),
            commands -> OperationCommands.addTo(commands, TestThings.ALL));
    return Commands.of(program, new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
