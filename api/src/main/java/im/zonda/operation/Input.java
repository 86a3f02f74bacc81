package im.zonda.operation;

import im.zonda.config.annotation.UnitText;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes the records of operations from plain data: maps, lists, texts, numbers and booleans. A
/// text stands for every kind of value, as in a path, a form or on the command line. Also reads
/// what [Shape#data] has written, as the command line does with the results of a running server.
public final class Input {
  /// Longer than the longest password, about which only its own rules decide, and than a line with
  /// it in a list of accounts.
  public static final int MOST_SECRET = 8_192;

  private Input() {}

  /// Makes a record.
  ///
  /// @param given values by the names of the components; null counts as not given
  /// @throws InvalidInputException at the first value that is wrong, missing or unknown
  public static Record read(Shape shape, Map<String, ? extends @Nullable Object> given)
      throws InvalidInputException {
    return read(shape, given, "");
  }

  private static Record read(
      Shape shape, Map<String, ? extends @Nullable Object> given, String path)
      throws InvalidInputException {
    for (String name : given.keySet()) {
      if (shape.component(name) == null) {
        throw new InvalidInputException(
            path + name, "There is no " + path + name + " here; there is " + names(shape) + ".");
      }
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (Shape.Component component : shape.components()) {
      values.add(value(component, given.get(component.name()), path + component.name()));
    }
    try {
      return shape.make(values);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(path, Objects.requireNonNullElse(e.getMessage(), "Wrong."));
    }
  }

  private static String names(Shape shape) {
    return shape.components().isEmpty()
        ? "nothing to give"
        : String.join(", ", shape.components().stream().map(Shape.Component::name).toList());
  }

  private static @Nullable Object value(
      Shape.Component component, @Nullable Object given, String path) throws InvalidInputException {
    Object present = given == null ? component.fallback() : given;
    if (present != null) {
      return value(component.value(), present, path);
    }
    if (component.required()) {
      throw new InvalidInputException(path, path + " is missing: " + component.about() + ".");
    }
    if (component.value() instanceof Value.Flag) {
      return false;
    }
    return component.value() instanceof Value.Many ? List.of() : null;
  }

  private static Object value(Value kind, Object given, String path) throws InvalidInputException {
    return switch (kind) {
      case Value.Text(int most) -> text(given, most, false, path);
      case Value.Lines(int most) -> text(given, most, true, path);
      case Value.Whole(long min, long max) -> whole(given, min, max, path);
      case Value.Decimal _ -> decimal(given, path);
      case Value.Flag _ -> flag(given, path);
      case Value.Choice choice -> choice(choice, given, path);
      case Value.Address _ -> address(given, path);
      case Value.Domain _ -> domain(given, path);
      case Value.Time _ -> time(given, path);
      case Value.Span _ -> span(given, path);
      case Value.Size _ -> size(given, path);
      case Value.Hidden _ -> new Secret(text(given, MOST_SECRET, false, path));
      case Value.Many(Value each, int most) -> many(each, most, given, path);
      case Value.Group(Shape shape) -> group(shape, given, path);
    };
  }

  private static InvalidInputException wrong(String path, String expected, Object given) {
    String shown = given instanceof String text && text.length() <= 100 ? ", not " + text : "";
    return new InvalidInputException(path, path + " must be " + expected + shown + ".");
  }

  private static String text(Object given, int most, boolean lines, String path)
      throws InvalidInputException {
    if (!(given instanceof String text)) {
      throw wrong(path, "a text", given);
    }
    if (text.length() > most) {
      throw new InvalidInputException(path, path + " is longer than " + most + " characters.");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean allowed = lines && (c == '\n' || c == '\r' || c == '\t');
      if ((Character.isISOControl(c) && !allowed) || unpaired(text, i)) {
        throw new InvalidInputException(path, path + " has a character that it must not have.");
      }
    }
    return text;
  }

  /// Whether the character is half of one: such a text cannot be stored or sent.
  private static boolean unpaired(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    return Character.isLowSurrogate(c)
        && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }

  private static Object whole(Object given, long min, long max, String path)
      throws InvalidInputException {
    Long number = number(given);
    if (number == null || number < min || number > max) {
      String most = max >= Integer.MAX_VALUE ? " or more" : " to " + max;
      throw wrong(path, "a whole number, " + min + most, given);
    }
    return max <= Integer.MAX_VALUE ? (Object) Math.toIntExact(number) : number;
  }

  private static Double decimal(Object given, String path) throws InvalidInputException {
    return switch (given) {
      case Number number -> number.doubleValue();
      case String text when text.matches("-?\\d{1,15}(\\.\\d{1,15})?") -> Double.valueOf(text);
      default -> throw wrong(path, "a number", given);
    };
  }

  private static @Nullable Long number(Object given) {
    return switch (given) {
      case Long number -> number;
      case Integer number -> number.longValue();
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 ->
          number.longValue();
      case String text when text.matches("-?\\d{1,19}") -> whole(text);
      default -> null;
    };
  }

  private static @Nullable Long whole(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return null; // beyond all bounds
    }
  }

  private static Boolean flag(Object given, String path) throws InvalidInputException {
    return switch (given) {
      case Boolean flag -> flag;
      case String text when text.equals("true") || text.equals("1") -> true;
      case String text when text.equals("false") || text.equals("0") -> false;
      default -> throw wrong(path, "true or false", given);
    };
  }

  private static Object choice(Value.Choice choice, Object given, String path)
      throws InvalidInputException {
    int index = given instanceof String text ? choice.words().indexOf(text) : -1;
    if (index < 0) {
      throw wrong(path, "one of " + String.join(", ", choice.words()), given);
    }
    return choice.type().getEnumConstants()[index];
  }

  private static Jid address(Object given, String path) throws InvalidInputException {
    try {
      if (given instanceof String text) {
        return Jid.of(text.strip());
      }
    } catch (JidFormatException e) {
      throw new InvalidInputException(path, path + " is not an address: " + e.getMessage() + ".");
    }
    throw wrong(path, "an address such as alice@example.org", given);
  }

  private static String domain(Object given, String path) throws InvalidInputException {
    try {
      if (given instanceof String text && !text.isBlank() && text.indexOf('@') < 0) {
        return Jid.of(null, text.strip(), null).domain();
      }
    } catch (JidFormatException e) {
      throw new InvalidInputException(path, path + " is not a domain: " + e.getMessage() + ".");
    }
    throw wrong(path, "a domain such as example.org", given);
  }

  private static Instant time(Object given, String path) throws InvalidInputException {
    try {
      if (given instanceof String text) {
        return Instant.parse(text);
      }
    } catch (DateTimeParseException e) {
      throw wrong(path, "a time such as 2026-11-28T14:03:00Z", given);
    }
    throw wrong(path, "a time such as 2026-11-28T14:03:00Z", given);
  }

  private static Duration span(Object given, String path) throws InvalidInputException {
    Duration span = given instanceof String text ? UnitText.duration(text) : null;
    if (span == null) {
      throw wrong(path, "a length of time such as 30s, 5m, 12h or 7d", given);
    }
    return span;
  }

  private static Long size(Object given, String path) throws InvalidInputException {
    Long bytes = given instanceof String text ? UnitText.bytes(text) : null;
    Long number = bytes == null ? number(given) : bytes;
    if (number == null || number < 0) {
      throw wrong(path, "a number of bytes such as 5MiB", given);
    }
    return number;
  }

  private static List<Object> many(Value each, int most, Object given, String path)
      throws InvalidInputException {
    List<?> elements =
        switch (given) {
          case List<?> list -> list;
          // A path or a query has one text; only a text of people may have a comma itself.
          case String text when !(each instanceof Value.Text) -> List.of(text.split(",\\s*"));
          default -> List.of(given);
        };
    if (elements.size() > most) {
      throw new InvalidInputException(path, path + " has more than " + most + " values.");
    }
    List<Object> values = new ArrayList<>();
    for (Object element : elements) {
      if (element == null) {
        throw new InvalidInputException(path, path + " has a value that is null.");
      }
      values.add(value(each, element, path));
    }
    return List.copyOf(values);
  }

  private static Record group(Shape shape, Object given, String path) throws InvalidInputException {
    if (!(given instanceof Map<?, ?> map)) {
      throw wrong(path, "an object with " + names(shape), given);
    }
    @SuppressWarnings("unchecked") // plain data has texts as keys
    Map<String, @Nullable Object> values = (Map<String, @Nullable Object>) map;
    return read(shape, values, path + ".");
  }
}
