package im.zonda.bench.profile;

import im.zonda.bench.result.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Times half a million calls of the clocks in a virtual machine without a profiler: what a profile
/// says of them may come from the profiler.
public final class ClockCalls {
  private static final int CALLS = 500_000;
  private static final int ROUNDS = 20;

  private ClockCalls() {}

  /// Prints the nanoseconds of a call of both clocks, in the quickest of some rounds.
  public static void main(String[] arguments) {
    long wall = Long.MAX_VALUE;
    long monotonic = Long.MAX_VALUE;
    long used = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        used += System.currentTimeMillis();
      }
      long middle = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        used += System.nanoTime();
      }
      wall = Math.min(wall, middle - begin);
      monotonic = Math.min(monotonic, System.nanoTime() - middle);
    }
    System.out.println(wall + " " + monotonic + " " + used);
  }

  /// Times the calls in a new process of the Java that servers are started with.
  ///
  /// @param options further options of its virtual machine
  /// @throws IOException if it fails
  static List<Result.Figure> measure(List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ClockCalls.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] words = text.strip().split(" ", -1);
    if (words.length != 3) {
      throw new IOException("the clocks were not timed: " + text.strip());
    }
    return List.of(
        figure("clock-call", "currentTimeMillis", Long.parseLong(words[0])),
        figure("nano-clock-call", "nanoTime", Long.parseLong(words[1])));
  }

  private static Result.Figure figure(String name, String method, long nanos) {
    return new Result.Figure(
        name,
        "a call of System." + method + ", of 500,000 without a profiler",
        nanos / (double) CALLS,
        "ns",
        null);
  }
}
