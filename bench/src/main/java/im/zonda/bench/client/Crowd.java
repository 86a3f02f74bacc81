package im.zonda.bench.client;

import im.zonda.bench.measure.CountedTime;
import im.zonda.bench.measure.Rate;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Many that do the same at once, each on a thread of its own. Who fails tries again a second
/// later, as clients do.
public final class Crowd {
  private static final int ATTEMPTS = 10;

  /// What each does.
  public interface Step {
    void run(int number) throws IOException;
  }

  /// What came of it.
  ///
  /// @param done how many got through
  /// @param errors attempts that failed
  /// @param samples what some of them said
  /// @param times from the common start to each one's end
  public record Outcome(
      int done, int errors, List<String> samples, double seconds, CountedTime times) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d done in %.2f s (%.0f/s), %d attempts failed%s; %s",
          done,
          seconds,
          done / seconds,
          errors,
          samples.isEmpty() ? "" : " " + samples,
          times);
    }
  }

  private final int size;
  private final int concurrency;

  /// A crowd of so many, of which `concurrency` act at once; 0 for all.
  public Crowd(int size, int concurrency) {
    this.size = size;
    this.concurrency = concurrency == 0 ? size : concurrency;
  }

  /// All take the step; returns when all have done so or given up.
  public Outcome all(Step step) {
    Semaphore places = new Semaphore(Math.max(1, concurrency));
    AtomicInteger done = new AtomicInteger();
    AtomicInteger errors = new AtomicInteger();
    ConcurrentLinkedQueue<String> samples = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    CountedTime times = new CountedTime(start, Long.MAX_VALUE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        int number = i;
        threads.execute(() -> {
          places.acquireUninterruptibly();
          try {
            if (attempt(step, number, errors, samples)) {
              times.record(start);
              done.incrementAndGet();
            }
          } finally {
            places.release();
          }
        });
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Outcome(
        done.get(), errors.get(), samples.stream().limit(3).toList(), seconds, times);
  }

  private static boolean attempt(
      Step step, int number, AtomicInteger errors, ConcurrentLinkedQueue<String> samples) {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        step.run(number);
        return true;
      } catch (IOException e) {
        errors.incrementAndGet();
        samples.add(String.valueOf(e.getMessage()));
        Rate.pause(1_000);
      }
    }
    return false;
  }
}
