package im.zonda.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.classic.spi.ThrowableProxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// Events with values and causes of bounded size, whatever format they are written in: a peer may
/// have chosen them.
final class BoundedEvent {
  /// The most characters of a value.
  static final int MAX_VALUE = 2_000;

  private static final int MAX_CAUSES = 8;
  private static final int MAX_FRAMES = 60;

  private BoundedEvent() {}

  /// The event, or a copy with what is too long in it cut.
  static ILoggingEvent of(ILoggingEvent event) {
    List<KeyValuePair> fields = event.getKeyValuePairs();
    IThrowableProxy thrown = event.getThrowableProxy();
    boolean fits =
        thrown == null
            && event.getFormattedMessage().length() <= MAX_VALUE
            && (fields == null || fields.stream().allMatch(BoundedEvent::fits));
    if (fits) {
      return event;
    }
    LoggingEvent bounded =
        thrown == null ? new LoggingEvent() : new Failed(new Cause(thrown, MAX_CAUSES));
    bounded.setLoggerName(event.getLoggerName());
    bounded.setLoggerContextRemoteView(event.getLoggerContextVO());
    bounded.setLevel(event.getLevel());
    bounded.setThreadName(event.getThreadName());
    bounded.setInstant(event.getInstant());
    bounded.setMessage(cut(event.getFormattedMessage()));
    bounded.setMDCPropertyMap(event.getMDCPropertyMap());
    if (fields != null) {
      for (KeyValuePair field : fields) {
        bounded.addKeyValuePair(fits(field) ? field : cut(field));
      }
    }
    return bounded;
  }

  /// The event that says what [EventLimit] has not admitted.
  static ILoggingEvent suppressed(EventLimit.Suppressed suppressed, long now) {
    LoggingEvent event = ofLog("log_events_suppressed", Level.INFO, now);
    event.addKeyValuePair(new KeyValuePair("event", suppressed.event()));
    event.addKeyValuePair(new KeyValuePair("peer", suppressed.peer()));
    event.addKeyValuePair(new KeyValuePair("count", suppressed.count()));
    return event;
  }

  /// The event that says how many events could not be written.
  static ILoggingEvent dropped(long count, long now) {
    LoggingEvent event = ofLog("log_events_dropped", Level.WARN, now);
    event.addKeyValuePair(new KeyValuePair("count", count));
    return event;
  }

  /// An event with a cause.
  static ILoggingEvent sample(long now) {
    LoggingEvent event = ofLog("sample", Level.WARN, now);
    event.setThrowableProxy(new ThrowableProxy(new IllegalStateException("a sample")));
    event.setMDCPropertyMap(Map.of());
    return event;
  }

  /// An event of the log itself.
  private static LoggingEvent ofLog(String name, Level level, long now) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerName("im.zonda.app.log");
    event.setLevel(level);
    event.setThreadName("log");
    event.setTimeStamp(now);
    event.setMessage(name);
    return event;
  }

  private static boolean fits(KeyValuePair field) {
    return switch (field.value) {
      case null -> true;
      case Number _, Boolean _, Enum<?> _ -> true;
      case String text -> text.length() <= MAX_VALUE;
      default -> false;
    };
  }

  private static KeyValuePair cut(KeyValuePair field) {
    return new KeyValuePair(field.key, cut(String.valueOf(field.value)));
  }

  /// The text, or its beginning and an ellipsis.
  static String cut(String text) {
    return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + "…";
  }

  /// An event with a bounded cause.
  private static final class Failed extends LoggingEvent {
    private final Cause cause;

    private Failed(Cause cause) {
      this.cause = cause;
    }

    @Override
    public IThrowableProxy getThrowableProxy() {
      return cause;
    }
  }

  /// A cause with a message of bounded length, and a bounded number of causes below it.
  ///
  /// @param left how many causes, with this one
  private record Cause(IThrowableProxy thrown, int left) implements IThrowableProxy {
    @Override
    public @Nullable String getMessage() {
      String message = thrown.getMessage();
      return message == null ? null : cut(message);
    }

    @Override
    public String getClassName() {
      return thrown.getClassName();
    }

    /// The frames that are not also those of the exception that it has caused.
    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
      StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
      int own = frames.length - thrown.getCommonFrames();
      return Arrays.copyOf(frames, Math.clamp(own, 0, MAX_FRAMES));
    }

    @Override
    public int getCommonFrames() {
      return 0;
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
      IThrowableProxy cause = thrown.getCause();
      return cause == null || left <= 1 ? null : new Cause(cause, left - 1);
    }

    @Override
    public IThrowableProxy[] getSuppressed() {
      return new IThrowableProxy[0];
    }

    @Override
    public boolean isCyclic() {
      return thrown.isCyclic();
    }
  }
}
