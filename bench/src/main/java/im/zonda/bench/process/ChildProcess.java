package im.zonda.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A process that the bench has started, with a file of its output. It ends with this virtual
/// machine at the latest, also by Ctrl-C.
public final class ChildProcess implements AutoCloseable {
  private static final int LINES_SHOWN = 20;
  private static final long CHECK_MILLIS = 50;
  private static final long STOP_SECONDS = 20;

  private final String name;
  private final Process process;
  private final Path output;
  private final Runnable atEnd = this::end;
  private volatile boolean stopped;

  private ChildProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /// Whether a process is ready.
  public interface Readiness {
    boolean isReady() throws IOException;
  }

  /// Starts a process.
  ///
  /// @param name for messages, such as `node 2`
  /// @param output the file of the output of the process; its contents are replaced
  public static ChildProcess start(String name, ProcessBuilder builder, Path output)
      throws IOException {
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    process.getOutputStream().close();
    ChildProcess child = new ChildProcess(name, process, output);
    AtEnd.add(child.atEnd);
    return child;
  }

  /// Runs a program to its end.
  ///
  /// @return the output of the program
  /// @throws IOException if it does not end in time or ends with another code than 0, with the end
  ///   of its output
  public static String run(String name, ProcessBuilder builder, Path output, Duration limit)
      throws IOException {
    try (ChildProcess child = start(name, builder, output)) {
      if (!child.waitFor(limit)) {
        throw new IOException(name + " has not ended after " + seconds(limit) + child.tail());
      }
      if (child.process.exitValue() != 0) {
        throw new IOException(
            name + " has ended with code " + child.process.exitValue() + child.tail());
      }
      return child.text();
    }
  }

  /// Waits until the process is ready.
  ///
  /// @throws IOException if the process ends before, or is not ready in time, with the end of its
  ///   output
  public void awaitReady(Readiness readiness, Duration limit) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    while (!readiness.isReady()) {
      if (waitFor(Duration.ofMillis(CHECK_MILLIS))) {
        throw new IOException(
            name + " has ended with code " + process.exitValue() + " at its start" + tail());
      }
      if (System.nanoTime() - end > 0) {
        throw new IOException(name + " is not ready after " + seconds(limit) + tail());
      }
    }
  }

  private static String seconds(Duration time) {
    return time.toSeconds() + " s";
  }

  private boolean waitFor(Duration time) throws IOException {
    try {
      return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + name + " was waited for", e);
    }
  }

  /// The output so far.
  public String text() throws IOException {
    return Files.readString(output, StandardCharsets.ISO_8859_1);
  }

  /// The last lines of the output, for the message of an error.
  private String tail() throws IOException {
    List<String> lines = text().lines().toList();
    if (lines.isEmpty()) {
      return "; it has written nothing";
    }
    return lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()).stream()
        .collect(Collectors.joining("\n  ", "; the end of what it has written:\n  ", ""));
  }

  public long pid() {
    return process.pid();
  }

  /// Has the process stand still. Its connections stay.
  public void stop() throws IOException {
    if (process.isAlive()) {
      signal("STOP");
      stopped = true;
    }
  }

  /// Has a process that stands still go on. One that has ended is left alone.
  public void goOn() {
    try {
      if (process.isAlive()) {
        signal("CONT");
      }
      stopped = false;
    } catch (IOException e) {
      // It has ended meanwhile, or ends by force.
    }
  }

  private void signal(String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).inheritIO().start();
    try {
      if (kill.waitFor() != 0) {
        throw new IOException("kill -" + signal + " of " + name + " has failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /// Ends the process, by force if it does not end in time.
  @Override
  public void close() {
    end();
    AtEnd.remove(atEnd);
  }

  private void end() {
    if (stopped) {
      goOn();
    }
    process.destroy();
    boolean ended = false;
    try {
      ended = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
