package im.zonda.home.session;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/// Fails each test in which a session was to enter an illegal phase ([SessionPhase#canFollow]): the
/// server recovers, so that the test might not notice. Registered for all tests of this module.
public final class IllegalPhases implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getMessage().equals("session_phase_illegal")) {
            SEEN.add(String.valueOf(event.getKeyValuePairs()));
          }
        }
      };

  /// What was seen in this test, which expects it.
  public static List<String> take() {
    List<String> seen = List.copyOf(SEEN);
    SEEN.clear();
    return seen;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Logger logger = (Logger) LoggerFactory.getLogger(LocalSession.class);
    appender.start();
    logger.addAppender(appender);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    check();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ((Logger) LoggerFactory.getLogger(LocalSession.class)).detachAppender(appender);
    check();
  }

  private static void check() {
    List<String> seen = take();
    if (!seen.isEmpty()) {
      throw new AssertionError("illegal phases: " + seen);
    }
  }
}
