package im.zonda.operation;

import im.zonda.config.annotation.UnitText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes records as plain data: maps, lists, texts, numbers, booleans and null. The text of a
/// [Secret] is written, because a result shows it once; inputs are written by [#shown].
final class RecordData {
  private RecordData() {}

  /// All components of a record.
  static Map<String, @Nullable Object> of(Shape shape, Record record) {
    return write(shape, record, true);
  }

  /// The components that have a value, without secrets.
  static Map<String, @Nullable Object> shown(Shape shape, Record record) {
    Map<String, @Nullable Object> all = write(shape, record, false);
    all.values().removeIf(Objects::isNull);
    return all;
  }

  private static Map<String, @Nullable Object> write(Shape shape, Record record, boolean secrets) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < shape.components().size(); i++) {
      Shape.Component component = shape.components().get(i);
      Object value = shape.get(record, i);
      values.put(component.name(), value == null ? null : write(component.value(), value, secrets));
    }
    return values;
  }

  private static Object write(Value kind, Object value, boolean secrets) {
    return switch (kind) {
      case Value.Text _, Value.Lines _, Value.Domain _, Value.Address _, Value.Time _ ->
          value.toString();
      case Value.Whole _, Value.Decimal _, Value.Size _, Value.Flag _ -> value;
      case Value.Choice _ -> Words.of((Enum<?>) value);
      case Value.Span _ -> UnitText.of((Duration) value);
      case Value.Hidden _ -> secrets ? ((Secret) value).text() : value.toString();
      case Value.Many(Value each, int _) -> {
        List<Object> elements = new ArrayList<>();
        ((List<?>) value)
            .forEach(one -> elements.add(write(each, Objects.requireNonNull(one), secrets)));
        yield elements;
      }
      case Value.Group(Shape inner) -> write(inner, (Record) value, secrets);
    };
  }
}
