package im.zonda.config.annotation;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Durations and numbers of bytes as people write them: `30s`, `5MiB`.
public final class UnitText {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)");

  private UnitText() {}

  /// The milliseconds of a duration such as `30s` or `3d`; null if it is none.
  public static @Nullable Long millis(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long unit =
        switch (matcher.group(2)) {
          case "s" -> 1_000L;
          case "m" -> 60_000L;
          case "h" -> 3_600_000L;
          case "d" -> 86_400_000L;
          default -> 1L;
        };
    return times(Long.parseLong(matcher.group(1)), unit);
  }

  /// A duration such as `30s` or `3d`; null if it is none.
  public static @Nullable Duration duration(String text) {
    Long millis = millis(text);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  /// A duration in the largest unit that divides it.
  public static String of(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0 || millis == 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  /// A number of bytes such as `5MiB`; null if it is none.
  public static @Nullable Long bytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long unit =
        switch (matcher.group(2)) {
          case "KiB" -> 1L << 10;
          case "MiB" -> 1L << 20;
          case "GiB" -> 1L << 30;
          default -> 1L;
        };
    return times(Long.parseLong(matcher.group(1)), unit);
  }

  private static @Nullable Long times(long count, long unit) {
    return Math.multiplyHigh(count, unit) == 0 && count * unit >= 0 ? count * unit : null;
  }
}
