package im.zonda.app.settings;

import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Durations as in the configuration, for options of commands.
public final class DurationText {
  private DurationText() {}

  /// Parses a duration such as `30s` or `3d`; null if it is not one.
  public static @Nullable Duration parse(String text) {
    Long millis = Scalars.number(Form.MILLIS, text);
    return millis == null ? null : Duration.ofMillis(millis);
  }
}
