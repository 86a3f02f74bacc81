package im.zonda.operation.rest;

import im.zonda.operation.Input;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Describes the values of operations by JSON Schema (2020-12), as OpenAPI 3.1 has it.
final class JsonSchema {
  private static final String SPAN = "^[0-9]{1,12}(ms|s|m|h|d)$";
  private static final String SIZE = "^[0-9]{1,15}(B|KiB|MiB|GiB)$";
  private static final String LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";
  private static final String SEGMENT = "^[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]+$";
  private static final String LINES =
      "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$";

  private JsonSchema() {}

  /// The components of an input, without those that are given elsewhere.
  static Map<String, Object> input(Shape shape, List<String> elsewhere) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (Shape.Component each : shape.components()) {
      if (!elsewhere.contains(each.name())) {
        Map<String, Object> schema = component(each);
        if (each.required()) {
          required.add(each.name());
        } else {
          orNull(schema);
        }
        properties.put(each.name(), schema);
      }
    }
    Map<String, Object> object = object(properties, required);
    object.put("additionalProperties", false);
    return object;
  }

  /// A component of an input, with its fallback.
  static Map<String, Object> component(Shape.Component component) {
    Map<String, Object> schema = value(component.value(), true);
    schema.put("description", component.about());
    String fallback = component.fallback();
    if (fallback != null) {
      schema.put("default", fallback(component.value(), fallback));
    }
    return schema;
  }

  /// A component of an input that is a part of the path.
  static Map<String, Object> segment(Shape.Component component) {
    Map<String, Object> schema = component(component);
    if (component.value() instanceof Value.Text) {
      schema.put("pattern", SEGMENT);
    }
    if ("string".equals(schema.get("type")) && !schema.containsKey("enum")) {
      schema.put("minLength", 1);
    }
    return schema;
  }

  private static Object fallback(Value value, String text) {
    return switch (value) {
      case Value.Whole _ -> Long.valueOf(text);
      case Value.Flag _ -> Boolean.valueOf(text);
      case Value.Many _ -> List.of(text.split(",\\s*"));
      case Value.Text _,
          Value.Lines _,
          Value.Decimal _,
          Value.Choice _,
          Value.Address _,
          Value.Domain _,
          Value.Time _,
          Value.Span _,
          Value.Size _,
          Value.Hidden _,
          Value.Group _ ->
          text;
    };
  }

  /// The components of a result, all of which are there.
  static Map<String, Object> result(Shape shape) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (Shape.Component each : shape.components()) {
      Map<String, Object> schema = value(each.value(), false);
      schema.put("description", each.about());
      if (!each.required() && !isNeverNull(each.value())) {
        orNull(schema);
      }
      properties.put(each.name(), schema);
      names.add(each.name());
    }
    return object(properties, names);
  }

  private static boolean isNeverNull(Value value) {
    return value instanceof Value.Many || value instanceof Value.Flag;
  }

  private static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", "object");
    object.put("properties", properties);
    if (!required.isEmpty()) {
      object.put("required", List.copyOf(required));
    }
    return object;
  }

  /// Lets null stand for a value that is not there.
  private static void orNull(Map<String, Object> schema) {
    Object type = schema.get("type");
    List<Object> types = new ArrayList<>(type instanceof List<?> list ? list : List.of(type));
    types.add("null");
    schema.put("type", types);
    if (schema.get("enum") instanceof List<?> words) {
      List<@Nullable Object> more = new ArrayList<>(words);
      more.add(null);
      schema.put("enum", more);
    }
  }

  private static Map<String, Object> value(Value value, boolean input) {
    return switch (value) {
      case Value.Text(int most) -> text(most, input ? LINE : null);
      case Value.Lines(int most) -> text(most, input ? LINES : null);
      case Value.Whole(long min, long max) ->
          members("type", "integer", "format", "int64", "minimum", min, "maximum", max);
      case Value.Decimal _ -> members("type", "number");
      case Value.Flag _ -> members("type", "boolean");
      case Value.Choice choice -> members("type", "string", "enum", choice.words());
      case Value.Address _ ->
          members("type", "string", "format", "jid", "example", "juliet@example.org");
      case Value.Domain _ -> members("type", "string", "format", "idn-hostname");
      case Value.Time _ -> members("type", "string", "format", "date-time");
      case Value.Span _ -> members("type", "string", "pattern", SPAN, "example", "12h");
      case Value.Size _ ->
          input
              ? members("type", List.of("integer", "string"), "minimum", 0, "pattern", SIZE)
              : members("type", "integer", "format", "int64", "minimum", 0);
      case Value.Hidden _ -> {
        Map<String, Object> text = text(Input.MOST_SECRET, input ? LINE : null);
        text.put("format", "password");
        yield text;
      }
      case Value.Many(Value each, int most) ->
          input
              ? members("type", "array", "items", value(each, true), "maxItems", most)
              : members("type", "array", "items", value(each, false));
      case Value.Group(Shape shape) -> input ? input(shape, List.of()) : result(shape);
    };
  }

  private static Map<String, Object> text(int most, @Nullable String pattern) {
    return pattern == null
        ? members("type", "string")
        : members("type", "string", "maxLength", most, "pattern", pattern);
  }

  /// Names and values in their order.
  static Map<String, Object> members(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return all;
  }
}
