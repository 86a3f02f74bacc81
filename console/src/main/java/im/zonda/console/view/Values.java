package im.zonda.console.view;

import im.zonda.config.annotation.UnitText;
import im.zonda.http.page.Language;
import im.zonda.operation.Secret;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Values of operations as people read them.
///
/// @param language of the reader
/// @param now the time to which others are related
public record Values(Language language, Instant now) {
  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

  /// Words of states, by what they mean.
  private static final List<String> GOOD =
      List.of(
          "ok",
          "done",
          "online",
          "connected",
          "open",
          "running",
          "member",
          "established",
          "valid",
          "right");

  private static final List<String> WARNING =
      List.of(
          "warning",
          "cancelled",
          "waiting",
          "connecting",
          "draining",
          "partly",
          "warn",
          "drained",
          "ends-soon",
          "self-signed",
          "skipped");
  private static final List<String> BAD =
      List.of(
          "problem",
          "failed",
          "error",
          "disabled",
          "forbidden",
          "refused",
          "unavailable",
          "timeout",
          "expired",
          "wrong");

  /// A value.
  ///
  /// @param value one of that kind; null if there is none
  public Cell cell(Value kind, @Nullable Object value) {
    if (value == null) {
      return Cell.of("");
    }
    return switch (kind) {
      case Value.Text _, Value.Lines _ -> text(value.toString());
      case Value.Domain _, Value.Address _ -> Cell.of(value.toString());
      case Value.Whole _ -> Cell.ofNumber(number(((Number) value).longValue()));
      case Value.Decimal _ ->
          Cell.ofNumber(String.format(locale(), "%.1f", ((Number) value).doubleValue()));
      case Value.Size _ -> Cell.ofNumber(size(((Number) value).longValue()));
      case Value.Flag _ -> Cell.of(language.text((Boolean) value ? "yes" : "no"));
      case Value.Choice _ -> choice(Value.word((Enum<?>) value));
      case Value.Time _ -> time((Instant) value);
      case Value.Span _ -> Cell.of(UnitText.of((Duration) value));
      case Value.Hidden _ -> Cell.of(((Secret) value).text());
      case Value.Many(Value each, int _) ->
          Cell.of(
              ((List<?>) value)
                  .stream().map(one -> cell(each, one).text()).collect(Collectors.joining(", ")));
      case Value.Group(Shape shape) -> group(shape, (Record) value);
    };
  }

  private Cell group(Shape shape, Record record) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < shape.components().size(); i++) {
      Shape.Component component = shape.components().get(i);
      String each = cell(component.value(), shape.get(record, i)).text();
      if (!each.isEmpty()) {
        text.append(text.isEmpty() ? "" : ", ").append(label(component)).append(": ").append(each);
      }
    }
    return Cell.of(text.toString());
  }

  private Cell choice(String word) {
    return Cell.of(word(word)).with(tone(word));
  }

  /// A word of a choice, in the reader's language if it is not a name that all languages share.
  public String word(String word) {
    String key = "word." + word;
    return language.has(key) ? language.text(key) : word;
  }

  private static Cell text(String text) {
    return Cell.of(text).with(tone(text));
  }

  private static Tone tone(String word) {
    if (GOOD.contains(word)) {
      return Tone.GOOD;
    }
    if (WARNING.contains(word)) {
      return Tone.WARNING;
    }
    return BAD.contains(word) ? Tone.BAD : Tone.PLAIN;
  }

  /// The name of a component: a text of its own, otherwise its name in words.
  public String label(Shape.Component component) {
    String key = "column." + component.dashed();
    return language.has(key) ? language.text(key) : words(component.dashed());
  }

  private static String words(String dashed) {
    String words = dashed.replace('-', ' ');
    return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /// A time, related to now; a day if it is far away.
  public Cell time(Instant time) {
    return new Cell(relative(time), null, EXACT.format(time), Tone.PLAIN, false);
  }

  private String relative(Instant time) {
    Duration distance = Duration.between(time, now);
    boolean past = !distance.isNegative();
    long seconds = distance.abs().toSeconds();
    if (seconds < 45) {
      return language.text("time.now");
    }
    String key = past ? "time.ago." : "time.in.";
    if (seconds < 90 * 60) {
      return language.text(key + "minutes", String.valueOf(Math.max(1, (seconds + 30) / 60)));
    }
    if (seconds < 36 * 3_600) {
      return language.text(key + "hours", String.valueOf((seconds + 1_800) / 3_600));
    }
    long days = ChronoUnit.DAYS.between(past ? time : now, past ? now : time);
    return days <= 60
        ? language.text(key + "days", String.valueOf(Math.max(days, 2)))
        : DAY.format(time);
  }

  /// How long something has lasted.
  public String span(long seconds) {
    if (seconds < 90 * 60) {
      return language.text("span.minutes", String.valueOf(Math.max(1, seconds / 60)));
    }
    return seconds < 48 * 3_600
        ? language.text("span.hours", String.valueOf(seconds / 3_600))
        : language.text("span.days", String.valueOf(seconds / 86_400));
  }

  /// A whole number, in groups of three digits.
  public String number(long number) {
    return String.format(locale(), "%,d", number);
  }

  private Locale locale() {
    return Locale.of(language.code());
  }

  /// A number of bytes in the largest unit of which there is one.
  public String size(long bytes) {
    if (bytes < 1_024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1_024 && unit < 4) {
      value /= 1_024;
      unit++;
    }
    return String.format(
        locale(), value < 10 ? "%.1f %ciB" : "%.0f %ciB", value, "KMGTP".charAt(unit));
  }
}
