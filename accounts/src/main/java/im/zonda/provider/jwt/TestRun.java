package im.zonda.provider.jwt;

import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The steps of one login that an administrator tries. Confined to a thread.
final class TestRun {
  /// A step; it fails with an exception that says why.
  interface Step<T> {
    T run() throws TokenException, ProviderException, InterruptedException;
  }

  private final List<TestStep> steps = new ArrayList<>();

  /// Does a step that gives its text.
  void step(String name, Step<String> step) throws InterruptedException {
    String _ = take(name, step, null);
  }

  /// Does a step that gives a value; null if it has failed.
  ///
  /// @param text what is said of success
  <T> @Nullable T get(String name, Step<T> step, String text) throws InterruptedException {
    return take(name, step, text);
  }

  private <T> @Nullable T take(String name, Step<T> step, @Nullable String text)
      throws InterruptedException {
    long begun = System.nanoTime();
    T value = null;
    String outcome;
    try {
      value = step.run();
      outcome = text == null ? value.toString() : text;
    } catch (TokenException e) {
      outcome = e.reason();
    } catch (ProviderException e) {
      outcome = String.valueOf(e.getMessage());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    steps.add(new TestStep(name, value != null, took, outcome));
    return value;
  }

  /// What was done, in order.
  List<TestStep> steps() {
    return List.copyOf(steps);
  }
}
