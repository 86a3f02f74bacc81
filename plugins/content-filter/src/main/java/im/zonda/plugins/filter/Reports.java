package im.zonda.plugins.filter;

import im.zonda.plugin.PluginContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Tells administrators what rules have found: a few messages a minute for each host, and then how
/// many more there were. Any thread may call.
final class Reports {
  /// The most reports of a minute for a host.
  static final int MOST = 10;

  /// The most characters of a message in a report.
  static final int MOST_TEXT = 500;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int MOST_HOSTS = 10_000;

  private static final class Window {
    Instant start = Instant.MIN;
    int sent;
    long more;
  }

  private final PluginContext context;
  private final Map<String, Window> windows = new HashMap<>();

  Reports(PluginContext context) {
    this.context = context;
  }

  /// Reports a find, now or as one of several.
  void report(String host, String text) {
    boolean isNow;
    synchronized (windows) {
      if (windows.size() >= MOST_HOSTS && !windows.containsKey(host)) {
        return;
      }
      Window window = windows.computeIfAbsent(host, _ -> new Window());
      if (window.more == 0 && hasEnded(window)) {
        window.start = context.clock().instant();
        window.sent = 0;
      }
      isNow = window.sent < MOST;
      if (isNow) {
        window.sent++;
      } else {
        window.more++;
      }
    }
    if (isNow) {
      context.report(host, text);
    }
  }

  private boolean hasEnded(Window window) {
    return window.start.equals(Instant.MIN)
        || !context.clock().instant().isBefore(window.start.plus(WINDOW));
  }

  /// Reports how many finds were not reported in minutes that have ended.
  void flush() {
    Map<String, Long> more = new HashMap<>();
    synchronized (windows) {
      windows.forEach((host, window) -> {
        if (window.more > 0 && hasEnded(window)) {
          more.put(host, window.more);
          window.more = 0;
        }
      });
      windows.values().removeIf(window -> window.more == 0 && hasEnded(window));
    }
    more.forEach((host, count) ->
        context.report(host, "Rules have found something in " + count + " more messages."));
  }

  /// A text in one line of a report.
  static String shown(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .limit(MOST_TEXT)
        .forEach(each -> line.appendCodePoint(isShown(each) ? each : ' '));
    return line + (text.length() > line.length() ? "…" : "");
  }

  private static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
