package im.zonda.module.admin.command;

import im.zonda.module.forms.DataForm;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The results of operations as forms (XEP-0004): values as fields, a list of records as a table.
final class ResultForms {
  private ResultForms() {}

  /// The forms of a result; none if there is nothing to show.
  ///
  /// @param kind the FORM_TYPE
  static List<Element> of(String kind, Shape shape, Record result) {
    Map<String, @Nullable Object> data = shape.data(result);
    List<Element> forms = new ArrayList<>();
    DataForm.Builder fields = DataForm.builder("result", kind);
    boolean any = false;
    for (Shape.Component component : shape.components()) {
      Object value = data.get(component.name());
      if (value == null) {
        continue;
      }
      if (component.value() instanceof Value.Many(Value.Group(Shape rows), int _)) {
        forms.add(table(kind, rows, (List<?>) value));
      } else {
        fields.field(
            component.name(),
            type(component.value()),
            OperationForms.label(component),
            values(value),
            Map.of());
        any = true;
      }
    }
    if (any) {
      forms.addFirst(fields.build().toElement());
    }
    return forms;
  }

  /// A result has no field to choose or to hide something.
  private static String type(Value value) {
    return switch (value) {
      case Value.Choice _, Value.Hidden _ -> "text-single";
      case Value.Many(Value.Choice _, int _) -> "text-multi";
      default -> OperationForms.type(value);
    };
  }

  private static Element table(String kind, Shape rows, List<?> records) {
    DataForm.Builder columns = DataForm.builder("result", kind);
    for (Shape.Component each : rows.columns()) {
      columns.field(
          each.name(),
          each.value() instanceof Value.Address ? "jid-single" : "text-single",
          OperationForms.label(each),
          List.of(),
          Map.of());
    }
    List<Map<String, String>> items = new ArrayList<>();
    for (Object record : records) {
      Map<?, ?> data = (Map<?, ?>) Objects.requireNonNull(record);
      Map<String, String> item = new LinkedHashMap<>();
      for (Shape.Component each : rows.columns()) {
        Object value = data.get(each.name());
        item.put(each.name(), value == null ? "" : String.join(", ", values(value)));
      }
      items.add(item);
    }
    return columns.build().toTable(items);
  }

  private static List<String> values(Object value) {
    return switch (value) {
      case List<?> many -> many.stream().map(String::valueOf).toList();
      case Map<?, ?> group ->
          group.entrySet().stream()
              .filter(each -> each.getValue() != null)
              .map(each -> each.getKey() + ": " + each.getValue())
              .toList();
      default -> List.of(value.toString());
    };
  }
}
