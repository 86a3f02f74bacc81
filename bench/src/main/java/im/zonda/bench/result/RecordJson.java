package im.zonda.bench.result;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Records as data of JSON: each component is a member of the same name. NaN is null.
public final class RecordJson {
  private final boolean strict;
  private final List<String> unknown = new ArrayList<>();

  /// A reader.
  ///
  /// @param strict whether an unknown member is an error
  public RecordJson(boolean strict) {
    this.strict = strict;
  }

  /// The members that no record has, by their places; only without `strict`.
  public List<String> unknown() {
    return List.copyOf(unknown);
  }

  /// A value as maps, lists, texts, numbers, booleans and null.
  public static @Nullable Object data(@Nullable Object value) {
    return switch (value) {
      case Record record -> members(record);
      case List<?> list -> list.stream().map(RecordJson::data).toList();
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(name.toString(), data(member)));
        yield members;
      }
      case double[] values -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (double one : values) {
          list.add(number(one));
        }
        yield list;
      }
      case Double number -> number(number);
      case Instant instant -> instant.toString();
      case null, default -> value;
    };
  }

  private static @Nullable Object number(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    boolean whole = Math.rint(value) == value && Math.abs(value) < 1L << 53;
    return whole ? (Object) (long) value : (Object) value;
  }

  private static Map<String, @Nullable Object> members(Record record) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        members.put(component.getName(), data(component.getAccessor().invoke(record)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
    }
    return members;
  }

  /// Reads a record.
  ///
  /// @param place where the value is in the file, for errors; empty for the file itself
  /// @throws IllegalArgumentException with the place and what is wrong there
  public <T extends Record> T record(Class<T> type, @Nullable Object value, String place) {
    if (!(value instanceof Map<?, ?> members)) {
      throw wrong(place, "an object", value);
    }
    RecordComponent[] components = type.getRecordComponents();
    List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
    for (Object name : members.keySet()) {
      if (!names.contains(name.toString())) {
        if (strict) {
          throw new IllegalArgumentException(
              below(place, name.toString()) + ": there is no member of this name");
        }
        unknown.add(below(place, name.toString()));
      }
    }
    @Nullable Object[] arguments = new @Nullable Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      arguments[i] = component(components[i], members, place);
    }
    try {
      var constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private @Nullable Object component(RecordComponent component, Map<?, ?> members, String place) {
    String name = component.getName();
    String at = below(place, name);
    Object value = members.get(name);
    AnnotatedType type = component.getAnnotatedType();
    if (value == null && type.isAnnotationPresent(Nullable.class)) {
      return null;
    }
    if (!members.containsKey(name)) {
      throw new IllegalArgumentException(at + " is missing");
    }
    return value(type.getType(), value, at);
  }

  private Object value(Type type, @Nullable Object value, String place) {
    if (type == double.class || type == Double.class) {
      return real(value, place);
    } else if (type == double[].class) {
      return list(value, place).stream().mapToDouble(one -> real(one, place)).toArray();
    } else if (type == int.class) {
      if (value instanceof Long number && number.intValue() == number) {
        return number.intValue();
      }
      throw wrong(place, "a whole number", value);
    } else if (type == long.class) {
      return cast(Long.class, value, place, "a whole number");
    } else if (type == boolean.class) {
      return cast(Boolean.class, value, place, "true or false");
    } else if (type == String.class) {
      return cast(String.class, value, place, "a text");
    } else if (type == Instant.class) {
      return instant(value, place);
    } else if (type instanceof ParameterizedType generic) {
      return generic.getRawType() == List.class
          ? elements(generic.getActualTypeArguments()[0], value, place)
          : map(generic.getActualTypeArguments()[1], value, place);
    }
    return record(((Class<?>) type).asSubclass(Record.class), value, place);
  }

  private List<Object> elements(Type type, @Nullable Object value, String place) {
    List<Object> elements = new ArrayList<>();
    for (Object element : list(value, place)) {
      elements.add(value(type, element, place + "[" + elements.size() + "]"));
    }
    return List.copyOf(elements);
  }

  private Map<String, Object> map(Type type, @Nullable Object value, String place) {
    if (!(value instanceof Map<?, ?> members)) {
      throw wrong(place, "an object", value);
    }
    Map<String, Object> map = new LinkedHashMap<>();
    members.forEach((name, member) ->
        map.put(name.toString(), value(type, member, below(place, name.toString()))));
    return map;
  }

  private static List<?> list(@Nullable Object value, String place) {
    return cast(List.class, value, place, "a list");
  }

  private static double real(@Nullable Object value, String place) {
    return value == null ? Double.NaN : cast(Number.class, value, place, "a number").doubleValue();
  }

  private static Instant instant(@Nullable Object value, String place) {
    try {
      return Instant.parse(cast(String.class, value, place, "a time"));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(place + " is no time such as 2026-11-29T18:00:00Z", e);
    }
  }

  private static <T> T cast(Class<T> type, @Nullable Object value, String place, String wanted) {
    if (!type.isInstance(value)) {
      throw wrong(place, wanted, value);
    }
    return type.cast(value);
  }

  private static String below(String place, String name) {
    return place.isEmpty() ? name : place + "." + name;
  }

  private static IllegalArgumentException wrong(
      String place, String wanted, @Nullable Object value) {
    String found =
        switch (value) {
          case null -> "null";
          case Map<?, ?> map -> "an object";
          case List<?> list -> "a list";
          case String text -> "the text \"" + text + "\"";
          default -> value.toString();
        };
    return new IllegalArgumentException(
        (place.isEmpty() ? "the file" : place) + " is " + found + " where " + wanted + " belongs");
  }
}
