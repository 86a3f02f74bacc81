package im.zonda.bench.session;

import im.zonda.bench.client.ConcurrentSteps;
import im.zonda.bench.measure.ProcessCpu;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.options.ManagedOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// All clients lose their connections and reconnect at once, by login and by resumption. Also
/// measures authentication alone, which is a part of both.
public final class ReconnectStorm {
  private final ManagedOptions options;
  private final PrintStream out;

  private ReconnectStorm(ManagedOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /// Runs the load and prints the cost of each step.
  public static void run(ManagedOptions options, PrintStream out) throws IOException {
    new ReconnectStorm(options, out).storms();
  }

  private void storms() throws IOException {
    try (ManagedSessions sessions = new ManagedSessions(options, new ConcurrentHashMap<>())) {
      measure("first login    ", sessions::logIn);
      sessions.leave();
      rest();
      measure("fresh login    ", sessions::logIn);
      sessions.leave();
      rest();
      measure("authentication ", sessions::authenticate);
      rest();
      measure("login          ", sessions::logIn);
      rest();
      sessions.cut();
      measure("RESUME         ", sessions::resume);
      rest();
      sessions.cut();
      measure("RESUME again   ", sessions::resume);
      rest();
      sessions.cut();
      measure("login after cut", sessions::logIn);
    }
  }

  private void measure(String what, Supplier<ConcurrentSteps.Outcome> step) throws IOException {
    long pid = options.load().pid();
    ProcessCpu cpu = pid == 0 ? null : new ProcessCpu(pid);
    long before = cpu == null ? 0 : cpu.micros();
    ConcurrentSteps.Outcome outcome = step.get();
    // Includes what the server does for them shortly afterwards.
    rest();
    double each =
        cpu == null ? Double.NaN : (cpu.micros() - before) / 1e3 / Math.max(1, outcome.done());
    out.printf(Locale.ROOT, "%s %s; server CPU %.3f ms each%n", what, outcome, each);
  }

  private void rest() {
    Rate.pause(TimeUnit.SECONDS.toMillis(options.rest()));
  }
}
