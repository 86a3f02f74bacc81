package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// Collects the reports of Netty's leak detector, which the build sets to paranoid.
///
/// A leak is reported by the first allocation after the buffer was collected, so the caller must
/// trigger a garbage collection and then make the server allocate again.
public final class LeakWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final long LOOK_MILLIS = 1_000;

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final Logger logger =
      (Logger) LoggerFactory.getLogger("io.netty.util.ResourceLeakDetector");

  /// Listens from now on.
  public static LeakWatch open() {
    LeakWatch watch = new LeakWatch();
    watch.setContext(watch.logger.getLoggerContext());
    watch.start();
    watch.logger.addAppender(watch);
    return watch;
  }

  @Override
  protected void append(ILoggingEvent event) {
    reports.add(event.getFormattedMessage());
  }

  /// Fails if a leak has been or is now reported; `work` makes the server allocate.
  public void assertNone(Runnable work) {
    for (int round = 0; round < 2; round++) {
      collectGarbage();
      work.run();
    }
    assertThat(reports).as("leaks that Netty reports").isEmpty();
  }

  /// Collects garbage and waits until the JVM has begun to report what it collected: of the round
  /// before it has reported all.
  private static void collectGarbage() {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> mark = new WeakReference<>(new Object(), collected);
    try {
      Reference<?> found = null;
      while (found == null) {
        System.gc();
        found = collected.remove(LOOK_MILLIS);
      }
      assertThat(found).isSameAs(mark);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
