package im.zonda.host.plugin.guard;

import org.jspecify.annotations.Nullable;

/// Copy of an exception of a plugin, without any class of the plugin: the log and others may keep
/// it.
final class PluginFailure extends Exception {
  private static final long serialVersionUID = 1;

  private PluginFailure(String text, @Nullable PluginFailure cause) {
    super(text, cause);
  }

  static PluginFailure copy(Throwable thrown) {
    return copy(thrown, 5);
  }

  private static PluginFailure copy(Throwable thrown, int depth) {
    Throwable cause = thrown.getCause();
    PluginFailure copy =
        new PluginFailure(
            text(thrown), cause == null || depth == 0 ? null : copy(cause, depth - 1));
    copy.setStackTrace(thrown.getStackTrace());
    return copy;
  }

  /// What has been thrown, as one line.
  static String text(Throwable thrown) {
    String name = thrown.getClass().getName();
    try {
      String message = thrown.getMessage();
      return message == null ? name : name + ": " + shorten(message);
    } catch (RuntimeException | StackOverflowError e) {
      return name;
    }
  }

  private static String shorten(String message) {
    String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= 300 ? line : line.substring(0, 300) + "…";
  }
}
