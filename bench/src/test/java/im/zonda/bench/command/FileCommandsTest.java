package im.zonda.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.result.Result;
import im.zonda.bench.result.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class FileCommandsTest {
  @TempDir private Path folder;

  private final StringWriter said = new StringWriter();

  private int run(String... words) {
    PrintWriter out = new PrintWriter(said);
    CommandLine zonda = new CommandLine(CommandSpec.create().name("zonda"));
    BenchCommand.addTo(zonda);
    return zonda
        .setOut(out)
        .setErr(out)
        .execute(Stream.concat(Stream.of("bench"), Stream.of(words)).toArray(String[]::new));
  }

  private Path run(String name, double cpu) throws IOException {
    Path run = Files.createDirectories(folder.resolve("runs").resolve(name));
    ResultJson.write(
        run.resolve(ResultJson.FILE),
        new Result(
            new Result.Run(
                "chat",
                List.of("zonda", "bench", "chat"),
                Map.of(),
                1,
                Instant.parse("2026-11-29T18:00:00Z"),
                9,
                1),
            new Result.Machine("EPYC", 2, 1L << 34, "Linux", "25"),
            new Result.Subject("zonda", "1", "0123abcd", List.of()),
            List.of(new Result.Figure("cpu", "CPU", cpu, "us", null)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of()));
    return run;
  }

  @Test
  void reportIsMadeAgain() throws IOException {
    Path run = run("one", 20);
    assertThat(run("report", run.toString())).isZero();
    assertThat(run.resolve("report.html")).content().contains("<h1>CPU: 20 us.</h1>");
    assertThat(said.toString()).contains("report.html");
  }

  @Test
  void runsAreCompared() throws IOException {
    Path out = folder.resolve("out");
    String a = run("a", 20).toString();
    String b = run("b", 22).toString();
    assertThat(run("compare", a, b, "--out", out.toString())).isZero();
    assertThat(said.toString())
        .contains("| CPU | 20 us | 22 us | 1.1 | | no interval: 4 runs of each are needed |");
    assertThat(out.resolve("report.html")).content().contains("no interval");
  }

  @Test
  void trendHasAllRuns() throws IOException {
    Path page = folder.resolve("trend.html");
    Path _ = run("a", 20);
    Path _ = run("b", 25);
    String runs = folder.resolve("runs").toString();
    assertThat(run("trend", runs, "--out", page.toString())).isZero();
    assertThat(page).content().contains("2 runs over time: chat");
  }

  @Test
  void wrongFilesAreExplained() throws IOException {
    assertThat(run("report", folder.toString())).isEqualTo(2);
    assertThat(said.toString()).contains("holds no run.json");
    Files.writeString(run("bad", 1).resolve(ResultJson.FILE), "{\"schema\": 1}");
    assertThat(run("trend", folder.resolve("runs").toString())).isEqualTo(2);
    assertThat(said.toString()).contains("run.json: run is missing").doesNotContain("\tat ");
    assertThat(run("pages", folder.toString())).isEqualTo(2);
    assertThat(said.toString()).contains("no source tree");
  }

  @Test
  void wrongComparisonsAreExplained() {
    assertThat(run("compare", "nginx", "zonda")).isEqualTo(2);
    assertThat(said.toString()).contains("nginx is none of zonda");
    assertThat(run("compare", "prosody", "prosody", "--pairs", "3")).isEqualTo(2);
    assertThat(said.toString()).contains("--pairs 3 is not from 4 to 1000");
    assertThat(run("compare", "prosody", "prosody", "--b", "heap=1")).isEqualTo(2);
    assertThat(said.toString()).contains("--b: a server has no option heap");
    assertThat(run("compare", "prosody", "prosody", "--scenario", "dance")).isEqualTo(2);
    assertThat(said.toString()).contains("no scenario dance");
  }
}
