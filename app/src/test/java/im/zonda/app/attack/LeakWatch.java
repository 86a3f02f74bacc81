package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// Hears what Netty's leak detector reports; the build sets it to paranoid.
///
/// A leak is reported by the first allocation after the buffer was collected: so whoever asks must
/// collect garbage and then make the server work once more.
public final class LeakWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
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
      System.gc();
      work.run();
    }
    assertThat(reports).as("leaks that Netty reports").isEmpty();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
