package im.zonda.bench.judge;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs the Tsung that is installed, and its script for reports. Erlang's port mapper is one of its
/// own at a loopback address, and ends with it.
///
/// @param folder of its files
public record Tsung(Path folder) {
  private static final String MAPPER = "epmd";
  private static final List<String> SCRIPTS =
      List.of(
          "/usr/lib/x86_64-linux-gnu/tsung/bin/tsung_stats.pl",
          "/usr/lib/aarch64-linux-gnu/tsung/bin/tsung_stats.pl",
          "/usr/lib/tsung/bin/tsung_stats.pl");

  /// Ports below those that the kernel gives to connections.
  private static final int MAPPER_PORT = 15_369;

  private static final String FIRST_PORT = "15400";
  private static final String LAST_PORT = "15499";

  private static final Duration MARGIN = Duration.ofMinutes(3);
  private static final int SCRIPT_SECONDS = 120;

  /// The program; empty if it is not installed.
  public static Optional<Path> find() {
    return find("tsung");
  }

  private static Optional<Path> find(String program) {
    String path = System.getenv("PATH");
    return Stream.of((path == null ? "" : path).split(File.pathSeparator, -1))
        .map(part -> Path.of(part, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// Runs a scenario until all its people have left.
  ///
  /// @param time how long that takes if nothing is slow
  /// @return the figures
  /// @throws IOException if Tsung is not installed, fails, or does not end
  public TsungLog run(Path scenario, Duration time) throws IOException, InterruptedException {
    Path program =
        find()
            .orElseThrow(() ->
                new IOException(
                    "Tsung is not installed: apt-get install --no-install-recommends tsung"));
    Path logs = Files.createDirectories(folder.resolve("logs"));
    List<String> command =
        List.of(
            program.toString(),
            "-n", // no page of its own while it runs
            "-f",
            scenario.toString(),
            "-l",
            logs.toString(),
            "-t",
            FIRST_PORT,
            "-T",
            LAST_PORT,
            "start");
    try {
      run(command, folder.resolve("tsung.out"), time.plus(MARGIN));
    } finally {
      endMapper();
    }
    Path log = log(logs);
    TsungLog figures = TsungLog.parse(Files.readAllLines(log));
    if (figures.samples().isEmpty()) {
      throw new IOException(
          "Tsung has measured nothing:\n" + Files.readString(folder.resolve("tsung.out")));
    }
    drawReport(log);
    return figures;
  }

  private static Path log(Path logs) throws IOException {
    try (Stream<Path> runs = Files.list(logs)) {
      return runs.map(run -> run.resolve("tsung.log"))
          .filter(Files::exists)
          .max(Comparator.naturalOrder())
          .orElseThrow(() -> new IOException("Tsung has written no log in " + logs));
    }
  }

  /// Tsung's own pages, beside its log. Without its script there are none.
  private void drawReport(Path log) throws IOException, InterruptedException {
    for (String script : SCRIPTS) {
      if (Files.exists(Path.of(script))) {
        Path runFolder = log.resolveSibling("");
        Process process =
            new ProcessBuilder(script, "--stats", log.getFileName().toString())
                .directory(runFolder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("stats.out").toFile())
                .start();
        if (!process.waitFor(SCRIPT_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
        return;
      }
    }
  }

  private void run(List<String> command, Path output, Duration limit)
      throws IOException, InterruptedException {
    Process process = builder(command).redirectOutput(output.toFile()).start();
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(
            "Tsung has not ended within " + limit.toSeconds() + " s; see " + output);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException("Tsung failed:\n" + Files.readString(output));
    }
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("HOME", folder.toAbsolutePath().toString());
    environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    environment.put("ERL_EPMD_PORT", Integer.toString(MAPPER_PORT));
    return builder;
  }

  private void endMapper() throws IOException, InterruptedException {
    Optional<Path> mapper = find(MAPPER);
    if (mapper.isPresent()) {
      Process process =
          builder(List.of(mapper.get().toString(), "-kill"))
              .redirectOutput(folder.resolve("epmd.out").toFile())
              .start();
      boolean _ = process.waitFor(MARGIN.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
