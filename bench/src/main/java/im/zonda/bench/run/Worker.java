package im.zonda.bench.run;

import im.zonda.bench.scenario.Scenarios;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// A process of the generator that another one has started. It reads its assignment from its
/// standard input, writes its measurements to its standard output, and ends when its input does.
public final class Worker {
  private Worker() {}

  /// Runs one scenario.
  public static void main(String[] none) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    // What a library prints must not come between the lines.
    System.setOut(System.err);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String first = in.readLine();
    if (first == null) {
      return;
    }
    Assignment assignment = Assignment.of(Line.parse(first));
    WorkerRun run =
        new WorkerRun(
            Scenarios.of(assignment.scenario()),
            assignment,
            line -> {
              synchronized (out) {
                out.println(line);
                out.flush();
              }
            });
    Thread.ofPlatform().daemon().name("bench-parent").start(() -> listen(in, run));
    run.run();
  }

  private static void listen(BufferedReader in, WorkerRun run) {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        run.heard(Line.parse(line));
      }
    } catch (IOException e) {
      // The parent is gone, as at the end of the input.
    }
    Runtime.getRuntime().halt(1);
  }
}
