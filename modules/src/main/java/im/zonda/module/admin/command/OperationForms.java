package im.zonda.module.admin.command;

import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.forms.DataForm.Validation;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The forms (XEP-0004) by which commands ask for the input of operations.
final class OperationForms {
  private static final String HOST = "host";

  private OperationForms() {}

  /// The components that are asked: the host is the one that has the command.
  static List<Shape.Component> asked(Operation<?, ?> operation) {
    return operation.input().components().stream()
        .filter(each -> !(each.name().equals(HOST) && each.value() instanceof Value.Domain))
        .toList();
  }

  /// Whether a form can ask for everything.
  static boolean canAsk(Operation<?, ?> operation) {
    return asked(operation).stream().noneMatch(each -> holdsGroup(each.value()));
  }

  private static boolean holdsGroup(Value value) {
    return value instanceof Value.Group
        || (value instanceof Value.Many(Value each, int _) && holdsGroup(each));
  }

  /// The form to fill in.
  static DataForm ask(String kind, Operation<?, ?> operation) {
    DataForm.Builder form =
        DataForm.builder("form", kind)
            .title(operation.title())
            .instructions("Fill out this form. Fields that are not required may be left empty.");
    asked(operation).forEach(each -> form.field(field(each)));
    return form.build();
  }

  private static Field field(Shape.Component component) {
    Value value = component.value();
    return new Field(
        component.name(),
        type(value),
        label(component),
        component.fallback() == null ? List.of() : List.of(component.fallback()),
        options(value),
        component.required(),
        null,
        validation(value));
  }

  /// What a component is about, as a label.
  static String label(Shape.Component component) {
    String about = component.about();
    return about.substring(0, 1).toUpperCase(Locale.ROOT) + about.substring(1);
  }

  /// The type of the field for a value.
  static String type(Value value) {
    return switch (value) {
      case Value.Lines _ -> "text-multi";
      case Value.Flag _ -> "boolean";
      case Value.Choice _ -> "list-single";
      case Value.Address _ -> "jid-single";
      case Value.Hidden _ -> "text-private";
      case Value.Many(Value.Address _, int _) -> "jid-multi";
      case Value.Many(Value.Choice _, int _) -> "list-multi";
      case Value.Many _, Value.Group _ -> "text-multi";
      case Value.Text _,
          Value.Whole _,
          Value.Decimal _,
          Value.Domain _,
          Value.Time _,
          Value.Span _,
          Value.Size _ ->
          "text-single";
    };
  }

  private static Map<String, String> options(Value value) {
    List<String> words =
        switch (value) {
          case Value.Choice choice -> choice.words();
          case Value.Many(Value.Choice choice, int _) -> choice.words();
          default -> List.of();
        };
    Map<String, String> options = new LinkedHashMap<>();
    words.forEach(word -> options.put(word, word));
    return options;
  }

  private static @Nullable Validation validation(Value value) {
    return switch (value) {
      case Value.Whole(long min, long max) ->
          new Validation(
              "xs:integer",
              Long.toString(min),
              max >= Integer.MAX_VALUE ? null : Long.toString(max));
      case Value.Time _ -> new Validation("xs:dateTime", null, null);
      default -> null;
    };
  }

  /// What was submitted, as plain data. A field without a value is not given.
  static Map<String, @Nullable Object> data(
      Operation<?, ?> operation, String host, @Nullable DataForm form) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    if (operation.input().component(HOST) != null) {
      data.put(HOST, host);
    }
    for (Shape.Component component : asked(operation)) {
      Field field = form == null ? null : form.field(component.name());
      List<String> values = field == null ? List.of() : field.values();
      List<String> given = values.stream().filter(each -> !each.isBlank()).toList();
      if (given.isEmpty()) {
        continue;
      }
      switch (component.value()) {
        case Value.Many _ -> data.put(component.name(), given);
        case Value.Lines _ -> data.put(component.name(), String.join("\n", values));
        case Value.Hidden _, Value.Text _ -> data.put(component.name(), given.getFirst());
        default -> data.put(component.name(), given.getFirst().strip());
      }
    }
    return data;
  }
}
