package im.zonda.module.forms;

import im.zonda.module.Xep;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A data form: its type and its fields, in order (XEP-0004, section 3). Immutable.
///
/// @param type `form`, `submit`, `cancel` or `result`
/// @param title the title, or null
/// @param instructions instructions for the user, or null
/// @param fields the fields by their names
@Xep(number = 4, version = "2.13.2", title = "Data Forms")
@Xep(number = 68, version = "1.3.0", title = "Field Standardization for Data Forms")
public record DataForm(
    String type, @Nullable String title, @Nullable String instructions, Map<String, Field> fields) {
  /// The namespace.
  public static final String NAMESPACE = "jabber:x:data";

  /// The element of a form.
  public static final QName X = new QName(NAMESPACE, "x");

  private static final String VALIDATION = "http://jabber.org/protocol/xdata-validate";

  /// The field that identifies the form (XEP-0068).
  public static final String FORM_TYPE = "FORM_TYPE";

  /// Copies the fields.
  public DataForm {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /// What a value must be (XEP-0122).
  ///
  /// @param datatype such as `xs:integer`
  /// @param min the lowest value, or null
  /// @param max the highest value, or null
  public record Validation(String datatype, @Nullable String min, @Nullable String max) {
    private Element toElement() {
      Element.Builder validate =
          Element.builder(VALIDATION, "validate").attribute("datatype", datatype);
      return min == null && max == null
          ? validate.child(Element.of(VALIDATION, "basic")).build()
          : validate
              .child(
                  Element.builder(VALIDATION, "range")
                      .attribute("min", min)
                      .attribute("max", max)
                      .build())
              .build();
    }
  }

  /// A field.
  ///
  /// @param name its name
  /// @param type its type, such as `text-single`; null if the FORM_TYPE implies it
  /// @param label the label, or null
  /// @param values the values; empty if there are none
  /// @param options the labels of the options, by value
  /// @param required whether a form of type `form` asks for a value
  /// @param description explains the field to the user, or null
  /// @param validation what a value must be, or null
  public record Field(
      String name,
      @Nullable String type,
      @Nullable String label,
      List<String> values,
      Map<String, String> options,
      boolean required,
      @Nullable String description,
      @Nullable Validation validation) {
    /// Copies the collections.
    public Field {
      values = List.copyOf(values);
      options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /// A field that need not be filled in.
    public Field(
        String name,
        @Nullable String type,
        @Nullable String label,
        List<String> values,
        Map<String, String> options) {
      this(name, type, label, values, options, false, null, null);
    }

    /// The first value, or null.
    public @Nullable String value() {
      return values.isEmpty() ? null : values.getFirst();
    }

    /// The value as a boolean, or null if it is not one.
    public @Nullable Boolean bool() {
      return switch (value()) {
        case "1", "true" -> Boolean.TRUE;
        case "0", "false" -> Boolean.FALSE;
        case null, default -> null;
      };
    }
  }

  /// Reads a form; null if the element is not a form or has a field twice.
  public static @Nullable DataForm of(@Nullable Element x) {
    String type = x == null || !x.name().equals(X) ? null : x.attribute("type");
    if (x == null || type == null) {
      return null;
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (Element child : x.children()) {
      String name = child.attribute("var");
      if (!child.is(NAMESPACE, "field") || name == null) {
        continue;
      }
      List<String> values = new ArrayList<>();
      for (Element value : child.children()) {
        if (value.is(NAMESPACE, "value")) {
          values.add(value.text());
        }
      }
      Field field = new Field(name, child.attribute("type"), null, values, Map.of());
      if (fields.put(name, field) != null) {
        return null;
      }
    }
    return new DataForm(type, null, null, fields);
  }

  /// The FORM_TYPE, or null.
  public @Nullable String kind() {
    Field field = fields.get(FORM_TYPE);
    return field == null ? null : field.value();
  }

  /// The field with this name, or null.
  public @Nullable Field field(String name) {
    return fields.get(name);
  }

  /// Starts a form.
  ///
  /// @param type the type, such as `form`
  /// @param kind the FORM_TYPE
  public static Builder builder(String type, String kind) {
    return new Builder(type).hidden(FORM_TYPE, kind);
  }

  /// Starts a form whose text defines no FORM_TYPE.
  public static Builder builder(String type) {
    return new Builder(type);
  }

  /// The `<x/>`; without labels and options for the type `submit`.
  public Element toElement() {
    boolean submitted = type.equals("submit");
    Element.Builder x = Element.builder(X).attribute("type", type);
    if (title != null) {
      x.child("title", title);
    }
    if (instructions != null) {
      x.child("instructions", instructions);
    }
    for (Field field : fields.values()) {
      Element.Builder child =
          Element.builder(NAMESPACE, "field")
              .attribute("var", field.name())
              .attribute("type", field.type())
              .attribute("label", submitted ? null : field.label());
      if (field.description() != null && !submitted) {
        child.child("desc", field.description());
      }
      if (field.required() && !submitted) {
        child.child(Element.of(NAMESPACE, "required"));
      }
      if (field.validation() != null && !submitted) {
        child.child(field.validation().toElement());
      }
      field.values().forEach(value -> child.child("value", value));
      Map<String, String> options = submitted ? Map.of() : field.options();
      options.forEach((value, label) ->
          child.child(
              Element.builder(NAMESPACE, "option")
                  .attribute("label", label)
                  .child("value", value)
                  .build()));
      x.child(child.build());
    }
    return x.build();
  }

  /// The `<x/>` with several items (section 3.4), of which the fields are the columns.
  ///
  /// @param items the values of each item, by the names of the fields
  public Element toTable(List<Map<String, String>> items) {
    Map<String, Field> columns = new LinkedHashMap<>(fields);
    Field kind = columns.remove(FORM_TYPE);
    Map<String, Field> head = kind == null ? Map.of() : Map.of(FORM_TYPE, kind);
    Element.Builder x = new DataForm(type, title, instructions, head).toElement().toBuilder();
    Element.Builder reported = Element.builder(NAMESPACE, "reported");
    for (Field column : columns.values()) {
      reported.child(
          Element.builder(NAMESPACE, "field")
              .attribute("var", column.name())
              .attribute("type", column.type())
              .attribute("label", column.label())
              .build());
    }
    x.child(reported.build());
    for (Map<String, String> values : items) {
      Element.Builder item = Element.builder(NAMESPACE, "item");
      for (String column : columns.keySet()) {
        item.child(
            Element.builder(NAMESPACE, "field")
                .attribute("var", column)
                .child("value", values.getOrDefault(column, ""))
                .build());
      }
      x.child(item.build());
    }
    return x.build();
  }

  /// Builds a form, field by field.
  public static final class Builder {
    private final String type;
    private @Nullable String title;
    private @Nullable String instructions;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    private Builder(String type) {
      this.type = type;
    }

    /// Sets the title.
    public Builder title(String text) {
      title = text;
      return this;
    }

    /// Sets the instructions.
    public Builder instructions(String text) {
      instructions = text;
      return this;
    }

    /// Adds a hidden field.
    public Builder hidden(String name, String value) {
      return field(name, "hidden", null, List.of(value), Map.of());
    }

    /// Adds a field of type `text-single`.
    public Builder text(String name, String label, @Nullable String value) {
      return field(
          name, "text-single", label, value == null ? List.of() : List.of(value), Map.of());
    }

    /// Adds a field of type `boolean`.
    public Builder bool(String name, String label, boolean value) {
      return field(name, "boolean", label, List.of(value ? "1" : "0"), Map.of());
    }

    /// Adds a field of type `list-single`.
    ///
    /// @param value one of the options, or null if none is chosen yet
    public Builder listSingle(
        String name, String label, @Nullable String value, Map<String, String> options) {
      List<String> chosen = value == null ? List.of() : List.of(value);
      return field(name, "list-single", label, chosen, options);
    }

    /// Adds a field of type `list-multi`.
    public Builder listMulti(
        String name, String label, List<String> values, Map<String, String> options) {
      return field(name, "list-multi", label, values, options);
    }

    /// Adds a field.
    public Builder field(
        String name,
        @Nullable String fieldType,
        @Nullable String label,
        List<String> values,
        Map<String, String> options) {
      fields.put(name, new Field(name, fieldType, label, values, options));
      return this;
    }

    /// Adds a field.
    public Builder field(Field field) {
      fields.put(field.name(), field);
      return this;
    }

    /// Adds a field of type `text-single` for an integer (XEP-0122).
    ///
    /// @param description explains the field to the user
    /// @param least the lowest value
    public Builder integer(String name, String label, String description, int value, int least) {
      List<String> values = List.of(Integer.toString(value));
      Validation validation = new Validation("xs:integer", Integer.toString(least), null);
      return field(
          new Field(name, "text-single", label, values, Map.of(), false, description, validation));
    }

    /// Adds a field that must be filled in.
    public Builder required(String name, String fieldType, String label, List<String> values) {
      fields.put(name, new Field(name, fieldType, label, values, Map.of(), true, null, null));
      return this;
    }

    /// The form.
    public DataForm build() {
      return new DataForm(type, title, instructions, fields);
    }
  }
}
