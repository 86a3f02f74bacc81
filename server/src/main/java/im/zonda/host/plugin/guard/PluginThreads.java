package im.zonda.host.plugin.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// The threads of one plugin: a few for its handlers, and some for what may take long. They are
/// threads of the operating system, so that one that never ends takes none from the server.
final class PluginThreads {
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_LONG = 16;
  private static final long IDLE_SECONDS = 10;

  /// A thread ends soon after its last task, if it does.
  private static final long LEAST_NANOS = 50_000_000;

  private final Set<Thread> ofHandlers = ConcurrentHashMap.newKeySet();
  private final Set<Thread> ofLong = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor handlers;
  private final ThreadPoolExecutor longRunning;

  /// @param plugin the name of the plugin
  /// @param classes the class loader of the plugin
  PluginThreads(String plugin, ClassLoader classes) {
    int processors = Math.max(2, Runtime.getRuntime().availableProcessors());
    handlers =
        new ThreadPoolExecutor(
            processors,
            processors,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            factory("plugin-" + plugin + "-", classes, ofHandlers));
    handlers.allowCoreThreadTimeOut(true);
    longRunning =
        new ThreadPoolExecutor(
            0,
            MOST_LONG,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factory("plugin-" + plugin + "-long-", classes, ofLong));
  }

  private static ThreadFactory factory(String name, ClassLoader classes, Set<Thread> threads) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name(name + number.incrementAndGet())
              .unstarted(() -> {
                try {
                  task.run();
                } finally {
                  threads.remove(Thread.currentThread());
                }
              });
      thread.setContextClassLoader(classes);
      threads.add(thread);
      return thread;
    };
  }

  /// Runs a handler and waits for it.
  ///
  /// @throws TimeoutException if it takes longer than `limit`, the time included for which it waits
  ///   for a thread; its thread was interrupted then
  /// @throws RejectedExecutionException if too much waits for the threads
  /// @throws InterruptedException if the caller was interrupted; the handler too
  <T> T call(Callable<T> handler, Duration limit)
      throws ExecutionException, TimeoutException, InterruptedException {
    return await(handlers.submit(handler), limit);
  }

  /// The same for what may take long.
  <T> T callLong(Callable<T> handler, Duration limit)
      throws ExecutionException, TimeoutException, InterruptedException {
    return await(longRunning.submit(handler), limit);
  }

  private static <T> T await(Future<T> running, Duration limit)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return running.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      boolean _ = running.cancel(true);
      throw e;
    }
  }

  /// Runs something that may take long, some time.
  ///
  /// @throws RejectedExecutionException if all threads for that are busy
  void execute(Runnable task) {
    longRunning.execute(task);
  }

  /// The identifiers of the threads that run handlers or wait for some.
  long[] handlers() {
    return ofHandlers.stream().mapToLong(Thread::threadId).toArray();
  }

  /// Interrupts everything, and waits for its end.
  ///
  /// @return the names of the threads that have not ended
  List<String> stop(Duration patience) throws InterruptedException {
    var _ = handlers.shutdownNow();
    var _ = longRunning.shutdownNow();
    long end = System.nanoTime() + patience.toNanos();
    boolean _ = handlers.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    boolean _ =
        longRunning.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    List<String> left = new ArrayList<>();
    for (Thread each : Stream.concat(ofHandlers.stream(), ofLong.stream()).toList()) {
      Duration rest = Duration.ofNanos(Math.max(LEAST_NANOS, end - System.nanoTime()));
      if (!each.join(rest)) {
        left.add(each.getName());
      }
    }
    return left;
  }
}
