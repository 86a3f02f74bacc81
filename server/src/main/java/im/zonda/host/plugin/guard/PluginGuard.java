package im.zonda.host.plugin.guard;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls the handlers of one plugin: with a limit of time, counted, and not at all while the plugin
/// is skipped because of its faults. Any thread may call.
public final class PluginGuard {
  private static final Logger LOG = LoggerFactory.getLogger(PluginGuard.class);

  /// The largest share of all processors that handlers may take over a period of [#PERIOD].
  public static final double MOST_SHARE = 0.25;

  /// How often it is measured how much of the processors a plugin takes.
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// How handlers run.
  ///
  /// @param inline on the thread of the server that calls, instead of one of the plugin's own
  /// @param limit the longest call of a handler
  public record Running(boolean inline, Duration limit) {}

  /// A call of something that a plugin has given.
  public interface Call<H, T> {
    /// Calls it.
    @Nullable T run(H handler) throws Exception;
  }

  /// What was counted since the plugin was started.
  ///
  /// @param calls calls of filters and of handlers of requests
  /// @param failed those that have thrown
  /// @param late those that took too long
  /// @param skipped those that were not made
  /// @param time how long all of them took together
  /// @param share how much of one processor the plugin took lately
  public record Counts(
      long calls, long failed, long late, long skipped, Duration time, double share) {}

  private final String plugin;
  private final ClassLoader classes;
  private final Running running;
  private final InstantSource clock;
  private final PluginThreads threads;
  private final PluginFaults faults = new PluginFaults();
  private final Runnable disable;
  private final List<Held<?>> held = new CopyOnWriteArrayList<>();
  private final LongAdder calls = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder inlineNanos = new LongAdder();
  private final ProcessorShare processors = new ProcessorShare();
  private long inlineBefore;
  private volatile double share;

  /// @param plugin the name of the plugin
  /// @param classes its class loader
  /// @param disable called once faults are too many; returns at once
  public PluginGuard(
      String plugin, ClassLoader classes, Running running, InstantSource clock, Runnable disable) {
    this.plugin = plugin;
    this.classes = classes;
    this.running = running;
    this.clock = clock;
    this.disable = disable;
    this.threads = new PluginThreads(plugin, classes);
  }

  /// Holds something that the plugin has given, until [#stop].
  public <T> Held<T> hold(T given) {
    Held<T> added = new Held<>(given);
    held.add(added);
    return added;
  }

  /// Releases something before the plugin is stopped.
  public void release(Held<?> given) {
    given.cut();
    boolean _ = held.remove(given);
  }

  /// What a plugin has thrown, as one line.
  public static String text(Throwable thrown) {
    return PluginFailure.text(thrown);
  }

  /// Whether calls wait for threads of the plugin, so that the caller must be one that may block.
  public boolean blocks() {
    return !running.inline();
  }

  /// Calls a handler. Blocks if [#blocks], for the limit at most.
  ///
  /// @param what what the handler is, for the operator
  /// @return null if it was not called, if it has failed, or if it has returned that
  public <H, T> @Nullable T call(Held<H> handler, String what, Call<H, T> call) {
    if (faults.skips(clock.instant())) {
      skipped.increment();
      return null;
    }
    H given = handler.get();
    if (given == null) {
      return null;
    }
    long began = System.nanoTime();
    try {
      T result =
          running.inline()
              ? inline(given, call)
              : threads.call(() -> call.run(given), running.limit());
      took(what, System.nanoTime() - began);
      return result;
    } catch (TimeoutException | RejectedExecutionException e) {
      took(what, System.nanoTime() - began);
      return null;
    } catch (ExecutionException e) {
      count(System.nanoTime() - began);
      failed(what, e.getCause() == null ? e : e.getCause());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (Throwable e) { // whatever a plugin throws costs itself alone
      count(System.nanoTime() - began);
      failed(what, e);
      return null;
    }
  }

  /// Calls a handler on this thread, which is one of the plugin, however long it takes.
  ///
  /// @return null if it was not called, if it has failed, or if it has returned that
  public <H, T> @Nullable T callHere(Held<H> handler, String what, Call<H, T> call) {
    if (faults.skips(clock.instant())) {
      skipped.increment();
      return null;
    }
    H given = handler.get();
    if (given == null) {
      return null;
    }
    try {
      return call.run(given);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (Throwable e) { // whatever a plugin throws costs itself alone
      failed(what, e);
      return null;
    }
  }

  private <H, T> @Nullable T inline(H given, Call<H, T> call) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    long began = System.nanoTime();
    try {
      return call.run(given);
    } finally {
      thread.setContextClassLoader(before);
      inlineNanos.add(System.nanoTime() - began);
    }
  }

  /// Calls something that may take long, on a thread of the plugin, and waits for it. What it
  /// throws is thrown, and counted if it is no `Expected`.
  ///
  /// @param expected the exceptions that belong to its answers
  /// @throws PluginCallException if it takes longer than `limit`, if all threads of the plugin are
  ///   busy, or if it has thrown something else
  public <H, T> @Nullable T callLong(
      Held<H> handler,
      String what,
      Duration limit,
      Class<? extends Exception> expected,
      Call<H, T> call)
      throws Exception {
    H given = handler.get();
    if (given == null) {
      throw new PluginCallException("the plugin " + plugin + " was stopped");
    }
    try {
      return threads.callLong(() -> call.run(given), limit);
    } catch (TimeoutException e) {
      late.increment();
      throw new PluginCallException(what + " of the plugin " + plugin + " takes too long");
    } catch (RejectedExecutionException e) {
      throw new PluginCallException("the plugin " + plugin + " is busy");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (expected.isInstance(cause)) {
        throw (Exception) cause;
      }
      failed(what, cause);
      throw new PluginCallException(what + " of the plugin " + plugin + " has failed");
    }
  }

  /// Runs what calls handlers by [#callHere], on a thread of the plugin. Rejects it if all of them
  /// are busy.
  public Executor background() {
    return threads::execute;
  }

  /// Calls something of the plugin that is no handler, also while those are skipped.
  ///
  /// @throws PluginCallException with what was thrown, or if it takes too long
  public <H> void lifecycle(String what, Duration limit, Held<H> handler, Call<H, ?> call)
      throws PluginCallException {
    H given = handler.get();
    if (given != null) {
      lifecycle(what, limit, () -> call.run(given));
    }
  }

  /// Calls what starts the plugin.
  ///
  /// @throws PluginCallException with what was thrown, or if it takes too long
  public void lifecycle(String what, Duration limit, Callable<?> call) throws PluginCallException {
    try {
      Object _ = threads.callLong(call, limit);
    } catch (TimeoutException e) {
      throw new PluginCallException(what + " takes longer than " + limit.toSeconds() + " s");
    } catch (RejectedExecutionException e) {
      throw new PluginCallException(what + " finds all threads busy");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      log("plugin_lifecycle_failed", what, cause);
      throw new PluginCallException(PluginFailure.text(cause));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PluginCallException(what + " was interrupted");
    }
  }

  private void count(long took) {
    calls.increment();
    nanos.add(took);
  }

  private void took(String what, long took) {
    count(took);
    if (took > running.limit().toNanos()) {
      late.increment();
      long millis = took / 1_000_000;
      apply(faults.late(clock.instant(), what + " has taken " + millis + " ms"), what);
    }
  }

  private void failed(String what, Throwable thrown) {
    failed.increment();
    log("plugin_failed", what, thrown);
    String text = what + " has failed: " + PluginFailure.text(thrown);
    boolean exhausted =
        thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
    apply(
        exhausted ? faults.exceeded(clock.instant(), text) : faults.failed(clock.instant(), text),
        what);
  }

  private void log(String event, String what, Throwable thrown) {
    LOG.atError()
        .addKeyValue("plugin", plugin)
        .addKeyValue("handler", what)
        .setCause(PluginFailure.copy(thrown))
        .log(event);
  }

  private void apply(PluginFaults.Effect effect, String what) {
    PluginFaults.Fault last = faults.last();
    String reason = last == null ? what : last.what();
    switch (effect) {
      case NONE -> {}
      case SKIPPED ->
          LOG.atError()
              .addKeyValue("plugin", plugin)
              .addKeyValue("reason", reason)
              .addKeyValue("seconds", PluginFaults.SKIPPED.toSeconds())
              .log("plugin_skipped");
      case DISABLED -> {
        LOG.atError()
            .addKeyValue("plugin", plugin)
            .addKeyValue("reason", reason)
            .log("plugin_disabled");
        disable.run();
      }
    }
  }

  /// Looks how much of the processors the plugin takes; to be called every [#PERIOD]. Does not
  /// block.
  public synchronized void measure() {
    double own = processors.since(threads.handlers());
    long inline = inlineNanos.sum();
    share = own + (double) (inline - inlineBefore) / PERIOD.toNanos();
    inlineBefore = inline;
    double most = MOST_SHARE * Runtime.getRuntime().availableProcessors();
    if (share > most) {
      String what = "handlers take " + Math.round(share * 100) + " % of a processor";
      apply(faults.exceeded(clock.instant(), what), what);
    }
  }

  /// What was counted.
  public Counts counts() {
    return new Counts(
        calls.sum(), failed.sum(), late.sum(), skipped.sum(), Duration.ofNanos(nanos.sum()), share);
  }

  /// The faults.
  public PluginFaults faults() {
    return faults;
  }

  /// Releases everything that the plugin has given. Calls that are running go on.
  private void cut() {
    held.forEach(Held::cut);
    held.clear();
  }

  /// Interrupts all threads of the plugin, and waits for their end.
  ///
  /// @return the names of those that have not ended
  public List<String> stop() {
    cut();
    try {
      return threads.stop(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
