package im.zonda.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// One line per event: time, level, event name, fields as `key=value`. Fields without a value are
/// left out.
///
/// Values may be chosen by a peer (a resource, a nickname). Characters that start a line, move a
/// terminal's cursor or change the reading direction are written as escapes. [BoundedEvent] bounds
/// what is written.
final class TextLayout extends LayoutBase<ILoggingEvent> {
  /// In UTC, to the millisecond.
  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder out = new StringBuilder(160);
    TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), out);
    String level = event.getLevel().toString();
    out.append(' ').append(level).append(level.length() < 5 ? "  " : " ");
    escape(event.getFormattedMessage(), out);
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        if (pair.value != null) {
          out.append(' ').append(pair.key).append('=');
          value(pair.value, out);
        }
      }
    }
    if (!event.getLoggerName().startsWith("im.zonda.")) {
      out.append(" logger=").append(event.getLoggerName());
    }
    out.append('\n');
    throwable(event.getThrowableProxy(), out);
    return out.toString();
  }

  private static void value(Object value, StringBuilder out) {
    String text = value.toString();
    if (text.isEmpty() || text.chars().anyMatch(c -> c == ' ' || c == '"' || c == '=')) {
      out.append('"');
      escape(text.replace("\\", "\\\\").replace("\"", "\\\""), out);
      out.append('"');
    } else {
      escape(text, out);
    }
  }

  private static void throwable(@Nullable IThrowableProxy thrown, StringBuilder out) {
    IThrowableProxy cause = thrown;
    for (int depth = 0; cause != null; depth++) {
      out.append(depth == 0 ? "    " : "    caused by ").append(cause.getClassName());
      if (cause.getMessage() != null) {
        out.append(": ");
        escape(cause.getMessage(), out);
      }
      out.append('\n');
      for (StackTraceElementProxy frame : cause.getStackTraceElementProxyArray()) {
        out.append("      ").append(frame.getSTEAsString()).append('\n');
      }
      cause = cause.getCause();
    }
  }

  /// Appends `text`, with escapes for all characters that are not printable.
  static void escape(@Nullable String text, StringBuilder out) {
    if (text == null) {
      return;
    }
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (misleads(c)) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
  }

  private static boolean misleads(char c) {
    return c < 0x20
        || (c >= 0x7f && c < 0xa0)
        || switch (Character.getType(c)) {
          case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
          default -> false;
        };
  }
}
