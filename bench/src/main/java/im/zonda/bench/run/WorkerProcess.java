package im.zonda.bench.run;

import im.zonda.bench.load.Scenario;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A worker as its parent sees it: in a process of its own, or on a thread of the parent.
interface WorkerProcess extends Link, AutoCloseable {
  /// The number of the process.
  long pid();

  @Override
  void close();

  /// Starts a worker on a thread of this process.
  ///
  /// @param said told of what the worker says, on any thread
  static WorkerProcess inside(Scenario scenario, Assignment assignment, Consumer<Line> said) {
    WorkerRun run = new WorkerRun(scenario, assignment, said::accept);
    Thread thread = Thread.ofPlatform().name("bench-worker").daemon().start(run::run);
    return new WorkerProcess() {
      @Override
      public long pid() {
        return ProcessHandle.current().pid();
      }

      @Override
      public void say(Line line) {
        run.heard(line);
      }

      @Override
      public void close() {
        thread.interrupt();
      }
    };
  }

  /// Starts a worker in a process of its own, with the options of this process's virtual machine.
  ///
  /// @throws IOException if it does not start
  static WorkerProcess start(Assignment assignment, Consumer<Line> said) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!option.startsWith("-agentlib") && !option.startsWith("-javaagent")) {
        command.add(option);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    PrintStream out = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    out.println(assignment.toLine());
    var _ =
        Thread.ofPlatform()
            .name("bench-worker-" + assignment.share().index())
            .daemon()
            .start(() -> listen(process, said));
    return new WorkerProcess() {
      @Override
      public long pid() {
        return process.pid();
      }

      @Override
      public void say(Line line) {
        synchronized (out) {
          out.println(line);
        }
      }

      @Override
      public void close() {
        end(process);
      }
    };
  }

  private static void listen(Process process, Consumer<Line> said) {
    boolean ended = false;
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        Line line = Line.parse(text);
        ended |= line.kind().equals(Line.DONE) || line.kind().equals(Line.FAILED);
        said.accept(line);
      }
    } catch (IOException | IllegalArgumentException e) {
      said.accept(Line.of(Line.FAILED).with("text", "a worker says nonsense: " + e.getMessage()));
      return;
    }
    if (!ended) {
      said.accept(Line.of(Line.FAILED).with("text", "a worker has ended before its time"));
    }
  }

  private static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
