package im.zonda.console.page;

import im.zonda.console.view.FormField;
import im.zonda.console.view.FormField.Kind;
import im.zonda.http.page.FormData;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The input of an operation as a form.
///
/// @param desk who fills it in
/// @param operation the operation
record InputForm(Desk desk, Operation<?, ?> operation) {
  /// The fields, filled in with what is known.
  ///
  /// @param given texts by the names of the components
  /// @param refused why they could not be used before, or null
  List<FormField> fields(Map<String, String> given, Outcome.@Nullable Refused<?> refused) {
    List<FormField> fields = new ArrayList<>();
    for (Shape.Component component : operation.parameters()) {
      if (isNode(component) && desk.choices(operation).isEmpty()) {
        continue;
      }
      String fallback = component.fallback() == null ? "" : component.fallback();
      fields.add(field(component, given.getOrDefault(component.name(), fallback), refused));
    }
    return fields;
  }

  /// The field of a component.
  FormField field(Shape.Component component, String value, Outcome.@Nullable Refused<?> refused) {
    boolean wrong =
        refused != null
            && refused.field() != null
            && (refused.field().equals(component.name())
                || refused.field().startsWith(component.name() + "."));
    boolean host = component.name().equals(Operation.HOST);
    Kind kind = host || isNode(component) ? Kind.CHOICE : kind(component.value());
    String shown = kind == Kind.PASSWORD ? "" : value;
    return new FormField(
        component.name(),
        desk.values().label(component),
        about(component),
        kind,
        host && shown.isEmpty() && component.required() ? desk.host() : shown,
        host ? FormField.Option.of(desk.hosts()) : options(component),
        component.required(),
        wrong);
  }

  private String about(Shape.Component component) {
    String words = desk.about(operation, component);
    String about = Character.toUpperCase(words.charAt(0)) + words.substring(1);
    String how = how(component.value());
    return how.isEmpty() ? about : about + " (" + how + ")";
  }

  private String how(Value value) {
    return switch (value) {
      case Value.Time _ -> desk.text("form.time");
      case Value.Span _ -> desk.text("form.span");
      case Value.Size _ -> desk.text("form.size");
      case Value.Many(Value each, int _) when each instanceof Value.Choice(var _, var words) ->
          desk.text("form.many") + ": " + String.join(", ", words);
      case Value.Many(Value each, int _) when each instanceof Value.Group(Shape shape) ->
          desk.text("form.many")
              + ": "
              + String.join(", ", shape.components().stream().map(Shape.Component::name).toList());
      case Value.Many _ -> desk.text("form.many");
      case Value.Text _, Value.Lines _, Value.Whole _, Value.Decimal _, Value.Flag _ -> "";
      case Value.Choice _, Value.Address _, Value.Domain _, Value.Hidden _, Value.Group _ -> "";
    };
  }

  private static Kind kind(Value value) {
    return switch (value) {
      case Value.Text _, Value.Address _, Value.Domain _, Value.Time _, Value.Span _ -> Kind.TEXT;
      case Value.Size _, Value.Decimal _ -> Kind.TEXT;
      case Value.Lines _, Value.Many _, Value.Group _ -> Kind.LINES;
      case Value.Whole _ -> Kind.NUMBER;
      case Value.Flag _ -> Kind.FLAG;
      case Value.Choice _ -> Kind.CHOICE;
      case Value.Hidden _ -> Kind.PASSWORD;
    };
  }

  /// Whether a component is the choice of a node of the cluster.
  private boolean isNode(Shape.Component component) {
    return component.name().equals(Operation.NODE)
        && operation.input().component(Operation.NODE) == null;
  }

  private List<FormField.Option> options(Shape.Component component) {
    return isNode(component)
        ? FormField.Option.of(desk.choices(operation))
        : component.value() instanceof Value.Choice choice ? options(choice) : List.of();
  }

  /// The words of a choice.
  List<FormField.Option> options(Value.Choice choice) {
    return choice.words().stream()
        .map(each -> new FormField.Option(each, desk.values().word(each)))
        .toList();
  }

  /// What a form has for the input.
  Map<String, Object> read(FormData form) {
    Map<String, Object> given = new LinkedHashMap<>();
    for (Shape.Component component : operation.parameters()) {
      String value = form.get(component.name());
      if (!value.isEmpty()) {
        given.put(component.name(), read(component.value(), value.replace("\r\n", "\n")));
      }
    }
    return given;
  }

  private static Object read(Value kind, String text) {
    if (!(kind instanceof Value.Many(Value each, int _))) {
      return text;
    }
    List<Object> elements = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (!line.isBlank()) {
        elements.add(each instanceof Value.Group(Shape shape) ? group(shape, line) : line.strip());
      }
    }
    return elements;
  }

  /// A line with the components of a record in their order, after commas.
  private static Map<String, Object> group(Shape shape, String line) {
    Map<String, Object> members = new LinkedHashMap<>();
    String[] parts = line.split(",", Math.max(1, shape.components().size()));
    for (int i = 0; i < parts.length; i++) {
      if (!parts[i].isBlank()) {
        members.put(shape.components().get(i).name(), parts[i].strip());
      }
    }
    return members;
  }
}
