package im.zonda.app.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Parses the simple forms of `zonda start` without picocli.
///
/// The class files of picocli are too old for the JVM's start-up cache; loading them takes a third
/// of the start-up time of the server.
///
/// @param options configuration file and data folder
/// @param exitWhenReady whether to stop when the server is ready
public record PlainStart(ConfigOptions options, boolean exitWhenReady) {
  /// The hidden option for the start-up cache and for tests.
  static final String EXIT_WHEN_READY = "--exit-when-ready";

  /// Parses the arguments; null if they are anything else or wrong, which picocli then handles.
  public static @Nullable PlainStart of(Program program, String... arguments) {
    if (arguments.length == 0 || !arguments[0].equals("start")) {
      return null;
    }
    Path config = null;
    Path data = null;
    boolean exitWhenReady = false;
    for (int i = 1; i < arguments.length; i++) {
      String value = i + 1 < arguments.length ? arguments[i + 1] : "";
      boolean hasValue = !value.isEmpty() && !value.startsWith("-");
      if (arguments[i].equals(EXIT_WHEN_READY)) {
        exitWhenReady = true;
      } else if (arguments[i].equals("--config") && hasValue && config == null) {
        config = Path.of(value);
        i++;
      } else if (arguments[i].equals("--data") && hasValue && data == null) {
        data = Path.of(value);
        i++;
      } else {
        return null;
      }
    }
    return new PlainStart(new ConfigOptions(program, config, data), exitWhenReady);
  }
}
