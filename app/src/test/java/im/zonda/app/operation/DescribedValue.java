package im.zonda.app.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Compares values with JSON Schema, as far as the description of the API uses it.
final class DescribedValue {
  private DescribedValue() {}

  /// What a reference means; anything else as it is.
  static Object resolve(Map<String, Object> document, Object value) {
    if (value instanceof Map<?, ?> map && map.get("$ref") instanceof String reference) {
      Object found = document;
      for (String step : reference.substring(2).split("/", -1)) {
        found = Objects.requireNonNull(((Map<?, ?>) found).get(step), reference);
      }
      return found;
    }
    return value;
  }

  /// What is wrong with a value.
  static List<String> errors(
      Map<String, Object> document, Object given, @Nullable Object value, String path) {
    Map<?, ?> schema = (Map<?, ?>) resolve(document, given);
    List<String> errors = new ArrayList<>();
    if (schema.get("allOf") instanceof List<?> all) {
      all.forEach(each -> errors.addAll(errors(document, each, value, path)));
      return errors;
    }
    if (!types(schema).contains(type(value))) {
      errors.add(path + " is " + type(value) + ", not " + types(schema));
      return errors;
    }
    if (schema.get("enum") instanceof List<?> words && !words.contains(value)) {
      errors.add(path + " is " + value);
    }
    if (value instanceof List<?> list) {
      for (Object each : list) {
        errors.addAll(errors(document, Objects.requireNonNull(schema.get("items")), each, path));
      }
    }
    if (value instanceof Map<?, ?> map) {
      Map<?, ?> properties = (Map<?, ?>) Objects.requireNonNull(schema.get("properties"));
      if (schema.get("required") instanceof List<?> required) {
        required.stream()
            .filter(each -> !map.containsKey(each))
            .forEach(each -> errors.add(path + "." + each + " is missing"));
      }
      map.forEach((name, member) -> {
        Object described = properties.get(name);
        if (described != null) {
          errors.addAll(errors(document, described, member, path + "." + name));
        } else if (!name.equals("failures") && !path.isEmpty()) {
          errors.add(path + "." + name + " is not described");
        }
      });
    }
    return errors;
  }

  private static List<?> types(Map<?, ?> schema) {
    Object type = Objects.requireNonNull(schema.get("type"));
    return type instanceof List<?> list ? list : List.of(type);
  }

  private static String type(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String _ -> "string";
      case Long _ -> "integer";
      case Number _ -> "number";
      case Boolean _ -> "boolean";
      case List<?> _ -> "array";
      default -> "object";
    };
  }
}
