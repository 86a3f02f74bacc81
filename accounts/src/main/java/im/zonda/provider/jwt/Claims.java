package im.zonda.provider.jwt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The claims of a token (RFC 7519, section 4).
///
/// @param values JSON by name
public record Claims(Map<String, Object> values) {
  /// 31 December 9999; times after it are not read.
  private static final long LAST_SECOND = 253_402_300_799L;

  /// Copies the map.
  public Claims {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /// A text; null if there is none.
  ///
  /// @throws TokenException if it is something else than a text
  public @Nullable String text(String name) throws TokenException {
    return switch (values.get(name)) {
      case null -> null;
      case String text -> text;
      case Object _ -> throw TokenException.wrong("the claim " + name + " is not a text");
    };
  }

  /// A text, or a list of texts, as a list; empty if there is none. What else is in a list is left
  /// out.
  public List<String> texts(String name) {
    return switch (values.get(name)) {
      case String text -> List.of(text);
      case List<?> many -> {
        List<String> texts = new ArrayList<>();
        for (Object each : many) {
          if (each instanceof String text) {
            texts.add(text);
          }
        }
        yield List.copyOf(texts);
      }
      case null, default -> List.of();
    };
  }

  /// The claims within which the last name of a path such as `realm_access.roles` is; none if there
  /// are none.
  Claims within(String path) {
    Map<?, ?> at = values;
    String rest = path;
    while (rest.indexOf('.') > 0) {
      if (at.get(rest.substring(0, rest.indexOf('.'))) instanceof Map<?, ?> inner) {
        at = inner;
        rest = rest.substring(rest.indexOf('.') + 1);
      } else {
        return new Claims(Map.of());
      }
    }
    Map<String, Object> found = new LinkedHashMap<>();
    if (at.get(rest) != null) {
      found.put(rest, at.get(rest));
    }
    return new Claims(found);
  }

  /// A time (RFC 7519, section 2, NumericDate); null if there is none.
  ///
  /// @throws TokenException if it is not a time
  @Nullable Instant time(String name) throws TokenException {
    Object value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number) {
      double seconds = number.doubleValue();
      if (seconds >= 0 && seconds <= LAST_SECOND) {
        return Instant.ofEpochSecond((long) seconds);
      }
    }
    throw TokenException.wrong("the claim " + name + " is not a time");
  }

  /// Without the values, which are about a person.
  @Override
  public String toString() {
    return "Claims" + values.keySet();
  }
}
