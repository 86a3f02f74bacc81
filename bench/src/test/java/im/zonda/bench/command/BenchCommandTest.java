package im.zonda.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.load.Scenario;
import im.zonda.bench.scenario.Scenarios;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

class BenchCommandTest {
  @Command(name = "zonda")
  private static final class Root {}

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    CommandLine zonda = new CommandLine(new Root());
    BenchCommand.addTo(zonda);
    return zonda.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
  }

  private static CommandLine subcommand(CommandLine parent, String name) {
    return Objects.requireNonNull(parent.getSubcommands().get(name));
  }

  @Test
  void withoutAScenarioAllAreListed() {
    assertThat(run("bench")).isZero();
    for (Scenario scenario : Scenarios.ALL) {
      assertThat(out.toString()).contains("\n  " + scenario.name());
    }
    assertThat(out.toString())
        .contains(
            "Options of every scenario:", "--server=", "--address=", "--warm-up=", "--dry-run");
  }

  @Test
  void anUnknownOptionIsAnErrorOfTheUser() {
    assertThat(run("bench", "burst", "--nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("Unknown option: '--nonsense'");
  }

  @Test
  void optionsThatContradictEachOtherAreAnErrorOfTheUser() {
    assertThat(run("bench", "burst", "--users", "3", "--address", "127.0.0.1:1")).isEqualTo(2);
    assertThat(err.toString()).contains("--users must be an even number");
  }

  @Test
  void aServerThatIsUnknownIsAnErrorOfTheUser() {
    assertThat(run("bench", "burst", "--server", "sendmail")).isEqualTo(2);
    assertThat(err.toString()).contains("sendmail", "ejabberd");
  }

  @Test
  void aDryRunSaysWhatTheLoadNeeds() {
    assertThat(run("bench", "burst", "--address", "127.0.0.1:1", "--dry-run")).isZero();
    assertThat(out.toString())
        .contains(
            "140 users log in at once and send 100 messages each", "140 accounts; 140 sockets");
  }

  @Test
  void theSearchForTheKneeExplainsWrongOptions() {
    assertThat(run("bench", "knee", "sleep", "--from", "1")).isEqualTo(2);
    assertThat(run("bench", "knee", "chat", "--from", "0")).isEqualTo(2);
    assertThat(run("bench", "knee", "chat", "--from", "1", "--limit", "delivery")).isEqualTo(2);
    assertThat(run("bench", "knee", "chat", "--from", "1", "--of", "speed")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "there is no scenario sleep",
            "from at least 1",
            "--limit delivery is not FIGURE=MOST",
            "Unknown options: '--speed'");
  }

  /// Else a result of a matrix could not be repeated.
  @Test
  void theCommandOfARunIsWholeWhoeverBeginsIt() {
    CommandLine zonda = new CommandLine(new Root());
    BenchCommand.addTo(zonda);
    CommandLine bench = subcommand(zonda, "bench");
    CommandSpec burst = subcommand(bench, "burst").getCommandSpec();
    CommandSpec profiled = subcommand(subcommand(bench, "profile"), "burst").getCommandSpec();
    assertThat(ScenarioCommand.words(burst, List.of("bench", "burst", "--users", "2")))
        .isEqualTo(List.of("zonda", "bench", "burst", "--users", "2"));
    assertThat(ScenarioCommand.words(burst, List.of("--users", "2")))
        .isEqualTo(List.of("zonda", "bench", "burst", "--users", "2"));
    assertThat(ScenarioCommand.words(profiled, List.of("bench", "profile", "burst")))
        .isEqualTo(List.of("zonda", "bench", "profile", "burst"));
  }
}
