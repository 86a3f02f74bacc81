package im.zonda.app.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// `zonda start` in its plain forms, read without picocli.
///
/// Picocli's classes are of an old format that the JVM's start-up cache cannot hold: loading them
/// takes a third of the time that the whole server needs to start.
///
/// @param options where the configuration is
/// @param exitWhenReady whether to stop at once
public record PlainStart(ConfigOptions options, boolean exitWhenReady) {
  /// The hidden option for the start-up cache and for tests.
  static final String EXIT_WHEN_READY = "--exit-when-ready";

  /// What the arguments say; null if they are anything else, or wrong, which picocli then tells.
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
