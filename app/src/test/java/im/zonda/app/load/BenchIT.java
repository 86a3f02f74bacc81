package im.zonda.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.noloss.QuickStarts;
import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `zonda bench` of the packaged product: the scenarios that need a server of their own. Rules
/// about times are left out, since tests run beside each other.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BenchIT {
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");

  @TempDir private Path folder;

  @BeforeAll
  static void prepare() throws IOException {
    QuickStarts.prepare();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | upload --users 4 --rate 5 --seconds 1 --warm-up 0 | put-p50",
        "false | transports --pairs 2 --rate 20 --turn 2 --rounds 1 --warm-up 0 | delivery-bosh-p50",
        "true  | s2s --pairs 2 --rate 20 --seconds 1 --warm-up 0 | delivery-p50",
        "true  | chat --pairs 2 --rate 20 --seconds 1 --warm-up 0 --processes 2 | delivery-p50",
        "true  | profile chat --pairs 2 --rate 200 --seconds 3 --warm-up 0 | network-and-xml",
        "true  | sessions --sessions 20 --seconds 1 --warm-up 0 --edges 2 --security tls |"
            + " memory-edge-2",
      })
  void aServerIsStartedLoadedAndReported(boolean longRun, String arguments, String figure)
      throws Exception {
    assumeTrue(ALL || !longRun, "in the long run only");
    List<String> command = new ArrayList<>();
    command.add(Path.of("target", "zonda", "zonda").toAbsolutePath().toString());
    command.add("bench");
    command.addAll(List.of(arguments.split(" ", -1)));
    command.addAll(List.of("--out", folder.resolve("run").toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(folder.toFile());
    builder.environment().put("ZONDA_JAVA", System.getProperty("java.home"));
    Process bench = builder.start();
    String said = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(bench.waitFor()).as(said).isBetween(0, 1);
    assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    Result result = ResultJson.read(folder.resolve("run/run.json"));
    assertThat(result.verdicts())
        .filteredOn(verdict -> verdict.rule().matches("no errors|no message lost.*|all users.*"))
        .as(said)
        .isNotEmpty()
        .allMatch(Result.Verdict::met);
    assertThat(result.figures()).as(said).anyMatch(each -> each.name().equals(figure));
  }
}
