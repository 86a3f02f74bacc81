package im.zonda.app.load.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;

/// Measures the server's process before and after a step of a load, and prints the cost.
public final class StepCost {
  private static final long REST_MILLIS = 1_500;

  /// One step.
  public interface Step {
    void run() throws IOException;
  }

  private final long pid;
  private final ProcessCpu cpu;
  private final ServerMemory memory;
  private final PrintStream out;

  /// @param pid the server's process, or 0
  public StepCost(long pid, PrintStream out) {
    this.pid = pid;
    this.cpu = new ProcessCpu(pid);
    this.memory = new ServerMemory(pid, true);
    this.out = out;
  }

  /// The server's processor time so far, in microseconds; negative if unknown.
  public long micros() {
    try {
      return pid == 0 ? -1 : cpu.micros();
    } catch (IOException e) {
      throw new UncheckedIOException("the server's process cannot be looked at", e);
    }
  }

  /// Runs a step that consists of `count` equal ones and prints its duration and cost, including
  /// what the server does shortly after it. Returns the duration in seconds.
  public double step(String what, int count, Step step) throws IOException {
    long before = micros();
    long start = System.nanoTime();
    step.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    Rate.pause(REST_MILLIS);
    out.printf(
        Locale.ROOT,
        "%s: %d in %.2f s (%.0f/s), server CPU %s ms each%n",
        what,
        count,
        seconds,
        count / seconds,
        pid == 0
            ? "unknown"
            : String.format(Locale.ROOT, "%.3f", (micros() - before) / 1e3 / count));
    return seconds;
  }

  /// Triggers a garbage collection in a Java server and prints the live heap.
  public Optional<ServerMemory.Heap> heap(String what) throws IOException {
    Optional<ServerMemory.Heap> heap = memory.liveHeap();
    out.printf(
        Locale.ROOT,
        "%s: %s, resident %,d KiB%n",
        what,
        heap.map(live -> String.format(Locale.ROOT, "live heap %,d bytes", live.bytes()))
            .orElse("live heap unknown"),
        memory.residentKib());
    return heap;
  }

  /// Prints the heap used by each of `count`, if it is known.
  public void growth(
      String what, Optional<ServerMemory.Heap> before, Optional<ServerMemory.Heap> now, int count) {
    if (before.isPresent() && now.isPresent()) {
      out.printf(
          Locale.ROOT,
          "%s: %,.0f bytes, by class:%n%s%n",
          what,
          (double) (now.get().bytes() - before.get().bytes()) / count,
          now.get().growth(before.get(), count));
    }
  }
}
