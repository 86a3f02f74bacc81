package im.zonda.study.load;

import im.zonda.study.statistics.Samples;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Asks for a page at a fixed rate, whether or not the answers before have come. Times count from
/// when a request was due, so that a server that stops for a second shows it.
public final class OpenLoop {
  private static final int CONNECTIONS = 64;
  private static final long PATIENCE_SECONDS = 60;

  private final int port;
  private final String path;

  /// @param port of the server, on the loopback address
  /// @param path of the page
  public OpenLoop(int port, String path) {
    this.port = port;
    this.path = path;
  }

  /// Asks `count` times, `rate` times a second. Blocks until all answers are here.
  ///
  /// @throws IOException if the server cannot be reached, or has not answered all within a minute
  ///   after the last request
  public PageLoad run(double rate, int count) throws IOException {
    double[] millis = new double[count];
    double[] late = new double[count];
    AtomicInteger errors = new AtomicInteger();
    BlockingQueue<PageConnection> idle = new ArrayBlockingQueue<>(CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++) {
      idle.add(new PageConnection(port, path));
    }
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    try {
      for (int i = 0; i < count; i++) {
        int number = i;
        long due = begin + (long) (i * 1e9 / rate);
        waitUntil(due);
        late[i] = (System.nanoTime() - due) / 1e6;
        workers.execute(() -> {
          if (!ask(idle)) {
            errors.incrementAndGet();
          }
          millis[number] = (System.nanoTime() - due) / 1e6;
        });
      }
      workers.shutdown();
      if (!workers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("pages were not answered within " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      workers.shutdownNow();
      idle.forEach(PageConnection::close);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Arrays.sort(late);
    return new PageLoad(
        new Samples(millis), errors.get(), seconds, late[(int) Math.ceil(count * 0.99) - 1]);
  }

  private static boolean ask(BlockingQueue<PageConnection> idle) {
    PageConnection connection;
    try {
      connection = idle.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    boolean good = connection.get();
    idle.add(connection);
    return good;
  }

  private static void waitUntil(long due) {
    long left = due - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = due - System.nanoTime();
    }
  }
}
