package im.zonda.study.run;

import im.zonda.json.JsonReader;
import im.zonda.study.load.PageConnection;
import im.zonda.study.page.PageModule;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A server with the page, as a process.
final class PageHost implements AutoCloseable {
  private static final long START_SECONDS = 300;
  private static final long STOP_SECONDS = 60;
  private static final long LOOK_NANOS = 1_000_000;
  private static final String MAIN = "im.zonda.study.page.PageServer";

  private final Process process;
  private final int port;
  private final Path log;
  private final double startMillis;
  private final ProcessFigures atStart;

  private PageHost(Process process, int port, Path log, double startMillis) throws IOException {
    this.process = process;
    this.port = port;
    this.log = log;
    this.startMillis = startMillis;
    this.atStart = ProcessFigures.of(process.pid());
  }

  /// The command that starts a server.
  ///
  /// @param java the program
  /// @param options of the virtual machine
  /// @param jars the class path
  static List<String> command(Path java, List<String> options, List<Path> jars, ServerFiles files) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(options);
    command.addAll(files.properties());
    command.add("-cp");
    command.add(jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.add(MAIN);
    command.addAll(List.of("start", "--config", files.config().toString()));
    return command;
  }

  /// Starts a server and waits until it has answered the page once.
  ///
  /// @throws IOException if it does not, with the first error in its log
  static PageHost start(List<String> command, ServerFiles files) throws IOException {
    Path log = files.log();
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      awaitPage(process, files.port());
      return new PageHost(process, files.port(), log, (System.nanoTime() - begin) / 1e6);
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException(e.getMessage() + ": " + firstError(log), e);
    }
  }

  private static void awaitPage(Process process, int port) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end) {
      try (PageConnection connection = new PageConnection(port, PageModule.PAGE)) {
        if (connection.get()) {
          return;
        }
      }
      if (!process.isAlive()) {
        throw new IOException("the server has ended with " + process.exitValue());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    throw new IOException("the server has not answered within " + START_SECONDS + " s");
  }

  /// The first line of a log that has an error; the last line if there is none.
  static String firstError(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log).stream().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .filter(line ->
            line.contains("Error") || line.contains("Exception") || line.contains("Unrecognized"))
        .findFirst()
        .orElse(lines.isEmpty() ? "its log is empty" : lines.getLast());
  }

  /// Milliseconds from the start of the process to the first page.
  double startMillis() {
    return startMillis;
  }

  /// The process when it had answered the first page.
  ProcessFigures atStart() {
    return atStart;
  }

  /// The process now.
  ProcessFigures figures() throws IOException {
    return ProcessFigures.of(process.pid());
  }

  /// A page of figures of the server itself.
  Map<String, @Nullable Object> read(String path) throws IOException {
    try (PageConnection connection = new PageConnection(port, path)) {
      int status = connection.status();
      if (status != 200) {
        throw new IOException(path + ": " + status);
      }
      return JsonReader.object(connection.body());
    }
  }

  /// Where it writes.
  Path log() {
    return log;
  }

  /// Ends it as a supervisor would.
  ///
  /// @return milliseconds until its process is gone
  double stop() throws IOException {
    long begin = System.nanoTime();
    process.destroy(); // SIGTERM
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the server has not ended within " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
