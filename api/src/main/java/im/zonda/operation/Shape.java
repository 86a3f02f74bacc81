package im.zonda.operation;

import im.zonda.config.annotation.UnitText;
import im.zonda.jid.Jid;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The components of a record as [Value]s. Read once, when an operation is declared.
///
/// @param type the record
/// @param components its components in their order
/// @param accessors the methods that read them, which are slow to find
public record Shape(
    Class<? extends Record> type, List<Component> components, List<Method> accessors) {
  private static final int TEXT = 1_023;
  private static final int LINES = 10_000;
  private static final int ELEMENTS = 1_000;

  /// A component of a record.
  ///
  /// @param name its name
  /// @param value what it can be
  /// @param about a few words about it
  /// @param required whether a value must be given
  /// @param fallback the value if none is given, as a text, or null
  public record Component(
      String name, Value value, String about, boolean required, @Nullable String fallback) {
    /// The name as in commands and the configuration: in lower case, with dashes.
    public String dashed() {
      StringBuilder words = new StringBuilder();
      for (int i = 0; i < name.length(); i++) {
        char each = name.charAt(i);
        words.append(Character.isUpperCase(each) ? "-" + Character.toLowerCase(each) : each);
      }
      return words.toString();
    }
  }

  /// Copies the lists.
  public Shape {
    components = List.copyOf(components);
    accessors = List.copyOf(accessors);
  }

  /// Reads a record's components.
  ///
  /// @throws IllegalArgumentException if one of them has no [Field], or a type that is none of
  ///   [Value]
  public static Shape of(Class<? extends Record> type) {
    RecordComponent[] components = type.getRecordComponents();
    return new Shape(
        type,
        Arrays.stream(components).map(Shape::component).toList(),
        Arrays.stream(components).map(Shape::accessor).toList());
  }

  private static Method accessor(RecordComponent component) {
    Method accessor = component.getAccessor();
    accessor.setAccessible(true); // the record may be nested in a class that is not public
    return accessor;
  }

  private static Component component(RecordComponent component) {
    Field field = component.getAnnotation(Field.class);
    if (field == null) {
      throw new IllegalArgumentException(
          component.getDeclaringRecord().getName() + "." + component.getName() + " has no @Field");
    }
    Value value = value(component.getGenericType(), field, component);
    String fallback = field.fallback().isEmpty() ? null : field.fallback();
    boolean optional =
        fallback != null
            || component.getAnnotatedType().isAnnotationPresent(Nullable.class)
            || value instanceof Value.Many
            || value instanceof Value.Flag;
    return new Component(component.getName(), value, field.value(), !optional, fallback);
  }

  private static Value value(Type type, Field field, RecordComponent component) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      Value each = value(list.getActualTypeArguments()[0], field, component);
      return new Value.Many(each, field.max() == 0 ? ELEMENTS : Math.toIntExact(field.max()));
    }
    if (type instanceof Class<?> plain) {
      Value value = value(plain, field);
      if (value != null) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        component.getDeclaringRecord().getName()
            + "."
            + component.getName()
            + " cannot be a component of an operation: "
            + type.getTypeName());
  }

  private static @Nullable Value value(Class<?> type, Field field) {
    if (type == String.class) {
      int most = Math.toIntExact(field.max());
      return switch (field.form()) {
        case PLAIN, BYTES -> new Value.Text(most == 0 ? TEXT : most);
        case LINES -> new Value.Lines(most == 0 ? LINES : most);
        case DOMAIN -> new Value.Domain();
      };
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      long usual = type == int.class || type == Integer.class ? Integer.MAX_VALUE : Long.MAX_VALUE;
      return field.form() == Field.Form.BYTES
          ? new Value.Size()
          : new Value.Whole(field.min(), field.max() == 0 ? usual : field.max());
    }
    if (type.isEnum()) {
      @SuppressWarnings("unchecked") // it is one
      Class<? extends Enum<?>> choice = (Class<? extends Enum<?>>) type;
      return new Value.Choice(
          choice, Arrays.stream(choice.getEnumConstants()).map(Value::word).toList());
    }
    if (Record.class.isAssignableFrom(type) && type != Secret.class) {
      return new Value.Group(Shape.of(type.asSubclass(Record.class)));
    }
    return simple(type);
  }

  private static @Nullable Value simple(Class<?> type) {
    if (type == boolean.class) {
      return new Value.Flag();
    }
    if (type == double.class || type == Double.class) {
      return new Value.Decimal();
    }
    if (type == Jid.class) {
      return new Value.Address();
    }
    if (type == Instant.class) {
      return new Value.Time();
    }
    if (type == Duration.class) {
      return new Value.Span();
    }
    return type == Secret.class ? new Value.Hidden() : null;
  }

  /// The component of that name, or null.
  public @Nullable Component component(String name) {
    for (Component each : components) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// The value of a component.
  public @Nullable Object get(Record record, int index) {
    try {
      return accessors.get(index).invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot read " + type.getName(), e);
    }
  }

  /// The value of the component of that name; null if there is none.
  public @Nullable Object get(Record record, String name) {
    for (int i = 0; i < components.size(); i++) {
      if (components.get(i).name().equals(name)) {
        return get(record, i);
      }
    }
    return null;
  }

  /// Makes a record.
  ///
  /// @param values one for each component
  /// @throws IllegalArgumentException if the record refuses them; its message is for the caller
  public Record make(List<@Nullable Object> values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      Object[] all = values.toArray();
      for (int i = 0; i < all.length; i++) {
        if (types[i] == Long.class && all[i] instanceof Integer number) {
          all[i] = number.longValue();
        }
      }
      return constructor.newInstance(all);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException("cannot make " + type.getName(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type.getName(), e);
    }
  }

  /// The same record with another value of a component.
  ///
  /// @param record a record of this type
  /// @throws IllegalArgumentException if the record refuses it
  public Record with(Record record, String name, Object value) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < components.size(); i++) {
      values.add(components.get(i).name().equals(name) ? value : get(record, i));
    }
    return make(values);
  }

  /// The value of a record as plain data: maps, lists, texts, numbers, booleans and null.
  ///
  /// @param record a record of this type
  public Map<String, @Nullable Object> data(Record record) {
    return write(record, true);
  }

  /// The components of a record that have a value, as plain data without secrets.
  ///
  /// @param record a record of this type
  public Map<String, @Nullable Object> shown(Record record) {
    Map<String, @Nullable Object> all = write(record, false);
    all.values().removeIf(Objects::isNull);
    return all;
  }

  private Map<String, @Nullable Object> write(Record record, boolean secrets) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < components.size(); i++) {
      Shape.Component component = components.get(i);
      Object value = get(record, i);
      values.put(component.name(), value == null ? null : write(component.value(), value, secrets));
    }
    return values;
  }

  private static Object write(Value kind, Object value, boolean secrets) {
    return switch (kind) {
      case Value.Text _, Value.Lines _, Value.Domain _, Value.Address _, Value.Time _ ->
          value.toString();
      case Value.Whole _, Value.Decimal _, Value.Size _, Value.Flag _ -> value;
      case Value.Choice _ -> Value.word((Enum<?>) value);
      case Value.Span _ -> UnitText.of((Duration) value);
      case Value.Hidden _ -> secrets ? ((Secret) value).text() : value.toString();
      case Value.Many(Value each, int _) -> {
        List<Object> elements = new ArrayList<>();
        ((List<?>) value)
            .forEach(one -> elements.add(write(each, Objects.requireNonNull(one), secrets)));
        yield elements;
      }
      case Value.Group(Shape inner) -> inner.write((Record) value, secrets);
    };
  }

  /// All components that are values or lists of values, for tables; those of groups are left out.
  public List<Component> columns() {
    List<Component> columns = new ArrayList<>();
    for (Component each : components) {
      if (!(each.value() instanceof Value.Group) && !holdsGroups(each.value())) {
        columns.add(each);
      }
    }
    return columns;
  }

  private static boolean holdsGroups(Value value) {
    return value instanceof Value.Many(Value each, int _) && each instanceof Value.Group;
  }

  /// Whether it is the same record.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Shape shape && shape.type.equals(type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type);
  }
}
