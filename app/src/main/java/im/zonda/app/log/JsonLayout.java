package im.zonda.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import im.zonda.json.JsonText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// One JSON object per line, without nesting: `time` (ISO 8601, UTC), `level`, `logger`, `message`
/// (the name of the event), its fields by their names, and `error`, which is the cause with its
/// frames as one string. Numbers and truth values are written as such, and fields without a value
/// are left out. [BoundedEvent] bounds what is written.
final class JsonLayout extends LayoutBase<ILoggingEvent> {
  @Override
  public String doLayout(ILoggingEvent event) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("time", TextLayout.TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
    members.put("level", event.getLevel().toString());
    members.put("logger", event.getLoggerName());
    members.put("message", event.getFormattedMessage());
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        if (pair.value != null) {
          members.put(unused(pair.key, members), value(pair.value));
        }
      }
    }
    if (event.getThrowableProxy() != null) {
      members.put(unused("error", members), error(event.getThrowableProxy()));
    }
    return JsonText.of(members) + "\n";
  }

  /// The name of a field, which must not hide another one.
  private static String unused(String name, Map<String, ?> members) {
    String free = name;
    while (members.containsKey(free)) {
      free += "_";
    }
    return free;
  }

  private static Object value(Object value) {
    return switch (value) {
      case Double number when !Double.isFinite(number) -> number.toString(); // not in JSON
      case Float number when !Float.isFinite(number) -> number.toString();
      case Number _, Boolean _ -> value;
      default -> value.toString();
    };
  }

  private static String error(IThrowableProxy thrown) {
    StringBuilder out = new StringBuilder();
    IThrowableProxy cause = thrown;
    while (cause != null) {
      out.append(out.isEmpty() ? "" : "\ncaused by ").append(cause.getClassName());
      if (cause.getMessage() != null) {
        out.append(": ").append(cause.getMessage());
      }
      for (StackTraceElementProxy frame : cause.getStackTraceElementProxyArray()) {
        out.append("\n  ").append(frame.getSTEAsString());
      }
      cause = cause.getCause();
    }
    return out.toString();
  }
}
