package im.zonda.operation.cluster;

import im.zonda.config.annotation.UnitText;
import im.zonda.jid.Jid;
import im.zonda.operation.Secret;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads results that [Shape#data] has written at another node. Results have no bounds but that of
/// the whole, unlike input; components of a later version are left out.
final class ResultReader {
  private ResultReader() {}

  /// Reads a result.
  ///
  /// @throws IllegalArgumentException if it is none of this shape
  static Record read(Shape shape, Map<?, ?> data) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Shape.Component component : shape.components()) {
      Object given = data.get(component.name());
      if (given == null && component.required()) {
        throw new IllegalArgumentException(component.name() + " is missing");
      }
      values.add(given == null ? absent(component.value()) : value(component.value(), given));
    }
    return shape.make(values);
  }

  private static @Nullable Object absent(Value kind) {
    if (kind instanceof Value.Flag) {
      return false;
    }
    return kind instanceof Value.Many ? List.of() : null;
  }

  private static Object value(Value kind, Object given) {
    return switch (kind) {
      case Value.Text _, Value.Lines _, Value.Domain _ -> text(given);
      case Value.Whole(long _, long max) -> whole(given, max);
      case Value.Size _ -> whole(given, Long.MAX_VALUE);
      case Value.Decimal _ -> number(given).doubleValue();
      case Value.Flag _ -> given.equals(true);
      case Value.Choice choice -> choice(choice, text(given));
      case Value.Address _ -> Jid.stored(text(given));
      case Value.Time _ -> time(text(given));
      case Value.Span _ -> span(text(given));
      case Value.Hidden _ -> new Secret(text(given));
      case Value.Many(Value each, int _) -> many(each, given);
      case Value.Group(Shape shape) -> {
        if (!(given instanceof Map<?, ?> group)) {
          throw new IllegalArgumentException("no group");
        }
        yield read(shape, group);
      }
    };
  }

  private static String text(Object given) {
    if (given instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("no text");
  }

  private static Number number(Object given) {
    if (given instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException("no number");
  }

  private static Object whole(Object given, long max) {
    long number = number(given).longValue();
    return max <= Integer.MAX_VALUE ? (Object) Math.toIntExact(number) : number;
  }

  private static Object choice(Value.Choice choice, String word) {
    int index = choice.words().indexOf(word);
    if (index < 0) {
      throw new IllegalArgumentException("no word of this version: " + word);
    }
    return choice.type().getEnumConstants()[index];
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("no time", e);
    }
  }

  private static Duration span(String text) {
    Duration span = UnitText.duration(text);
    if (span == null) {
      throw new IllegalArgumentException("no length of time");
    }
    return span;
  }

  private static List<Object> many(Value each, Object given) {
    if (!(given instanceof List<?> elements)) {
      throw new IllegalArgumentException("no list");
    }
    List<Object> all = new ArrayList<>();
    elements.forEach(one -> all.add(value(each, Objects.requireNonNull(one))));
    return all;
  }
}
