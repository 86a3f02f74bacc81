package im.zonda.app.operation;

import im.zonda.jid.Jid;
import im.zonda.operation.Secret;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Values that operations take and give, made from their shapes.
final class SampleValues {
  private SampleValues() {}

  /// A value that is right, as plain data.
  ///
  /// @param domain the domain of addresses
  static Object given(Value value, String domain) {
    return switch (value) {
      case Value.Text _, Value.Lines _, Value.Hidden _ -> "some-text";
      case Value.Whole(long min, long _) -> Math.max(1, min);
      case Value.Decimal _ -> 1.5;
      case Value.Flag _ -> true;
      case Value.Choice choice -> choice.words().getFirst();
      case Value.Address _ -> "someone@" + domain;
      case Value.Domain _ -> domain;
      case Value.Time _ -> "2026-11-28T14:03:00Z";
      case Value.Span _ -> "12h";
      case Value.Size _ -> 4_096L;
      case Value.Many(Value each, int _) -> List.of(given(each, domain));
      case Value.Group(Shape shape) -> {
        Map<String, Object> members = new LinkedHashMap<>();
        shape.components().forEach(each -> members.put(each.name(), given(each.value(), domain)));
        yield members;
      }
    };
  }

  /// A text that is wrong, as in a query; a control character where every text is right.
  static String wrong(Value value) {
    return switch (value) {
      case Value.Text _, Value.Lines _, Value.Hidden _ -> "a\u0001b";
      case Value.Whole _, Value.Decimal _, Value.Size _ -> "many";
      case Value.Flag _ -> "perhaps";
      case Value.Choice _ -> "no such word";
      case Value.Address _ -> "@@";
      case Value.Domain _ -> "a@b";
      case Value.Time _ -> "yesterday";
      case Value.Span _ -> "soon";
      case Value.Many(Value each, int _) -> wrong(each);
      case Value.Group _ -> "nothing";
    };
  }

  /// A record with a value for each component.
  static <R extends Record> R record(Class<R> type) {
    try {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = object(components[i].getGenericType());
      }
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  private static Object object(Type type) {
    if (type instanceof ParameterizedType list) {
      return List.of(object(list.getActualTypeArguments()[0]));
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return plain.getEnumConstants()[0];
    }
    if (plain == Secret.class) {
      return new Secret("s3cret");
    }
    if (plain.isRecord() && plain != Jid.class) {
      return record(plain.asSubclass(Record.class));
    }
    return switch (plain.getName()) {
      case "java.lang.String" -> "some text";
      case "int", "java.lang.Integer" -> 7;
      case "long", "java.lang.Long" -> 7L;
      case "double", "java.lang.Double" -> 1.5;
      case "boolean" -> true;
      case "im.zonda.jid.Jid" -> Jid.of("someone@own.example");
      case "java.time.Instant" -> Instant.EPOCH;
      case "java.time.Duration" -> Duration.ofHours(12);
      default -> throw new AssertionError(plain.getName());
    };
  }
}
