package im.zonda.app.forms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// What a strict client wants of a form: fields and types as the registries have them (in
/// `fields.txt`), and values that a field of that type can have (XEP-0004, section 3.3).
final class FormRules {
  private static final String DATA = "jabber:x:data";

  /// Types by form type and field.
  private final Map<List<String>, List<String>> types = new HashMap<>();

  private final Set<List<String>> seen = new HashSet<>();

  FormRules() throws IOException {
    this("fields.txt");
  }

  /// @param resource the name of the file with the fields
  FormRules(String resource) throws IOException {
    try (InputStream in = FormRules.class.getResourceAsStream(resource)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("="))
          .map(line -> List.of(line.split(" ")))
          .forEach(line -> types.put(line.subList(0, 2), line.subList(2, line.size())));
    }
  }

  /// The fields that no form had.
  Set<List<String>> unseen() {
    Set<List<String>> unseen = new HashSet<>(types.keySet());
    unseen.removeAll(seen);
    return unseen;
  }

  static Stream<XmlElement> fields(XmlElement form) {
    return form.children().stream().filter(child -> child.is(DATA, "field"));
  }

  static List<String> values(XmlElement field) {
    return field.children().stream()
        .filter(child -> child.is(DATA, "value"))
        .map(XmlElement::text)
        .toList();
  }

  /// A form of type `form` or `result` keeps all rules.
  void check(XmlElement form) {
    assertThat(form.is(DATA, "x")).as(form.toString()).isTrue();
    assertThat(form.attribute("type")).isIn("form", "result");
    List<XmlElement> fields = fields(form).toList();
    XmlElement first = fields.getFirst();
    assertThat(first.attribute("var")).isEqualTo("FORM_TYPE");
    assertThat(first.attribute("type")).isEqualTo("hidden");
    assertThat(values(first)).hasSize(1);
    assertThat(fields).extracting(field -> field.attribute("var")).doesNotHaveDuplicates();
    boolean filled = "result".equals(form.attribute("type"));
    for (XmlElement field : fields.subList(1, fields.size())) {
      check(values(first).getFirst(), field, filled);
    }
  }

  /// A form with rows keeps all rules (section 3.4).
  void checkTable(String formType, XmlElement form) {
    assertThat(form.attribute("type")).isEqualTo("result");
    assertThat(fields(form)).isEmpty();
    XmlElement reported = Objects.requireNonNull(form.child(DATA, "reported"));
    List<String> columns =
        fields(reported)
            .map(field -> {
              check(formType, field, true);
              return String.valueOf(field.attribute("var"));
            })
            .toList();
    List<XmlElement> rows =
        form.children().stream().filter(child -> child.is(DATA, "item")).toList();
    assertThat(rows).isNotEmpty();
    for (XmlElement row : rows) {
      assertThat(fields(row).map(field -> field.attribute("var"))).isEqualTo(columns);
    }
  }

  private void check(String formType, XmlElement field, boolean filled) {
    String name = String.valueOf(field.attribute("var"));
    String type = String.valueOf(field.attribute("type"));
    String where = formType + " " + field;
    List<String> key = List.of(formType, name);
    assertThat(types).as(where).containsKey(key);
    seen.add(key);
    assertThat(types.get(key)).as(where).contains(type);
    assertThat(field.attribute("label")).as(where).isNotBlank();
    List<String> values = values(field);
    if (type.endsWith("-single") || type.equals("boolean") || type.equals("text-private")) {
      assertThat(values).as(where).hasSizeLessThanOrEqualTo(1);
    }
    if (type.equals("boolean")) {
      assertThat(values).as(where).allMatch(value -> value.equals("0") || value.equals("1"));
    }
    if (type.startsWith("jid-")) {
      assertThat(values).as(where).allSatisfy(value -> assertThat(Jid.of(value)).isNotNull());
    }
    checkOptions(where, type, values, field, filled);
  }

  private static void checkOptions(
      String where, String type, List<String> values, XmlElement field, boolean filled) {
    List<XmlElement> options =
        field.children().stream().filter(child -> child.is(DATA, "option")).toList();
    boolean open = field.child("http://jabber.org/protocol/xdata-validate", "validate") != null;
    if (!type.startsWith("list-") || filled || open) {
      assertThat(options).as(where).isEmpty();
      return;
    }
    assertThat(options).as(where).isNotEmpty();
    assertThat(options).extracting(option -> option.attribute("label")).doesNotHaveDuplicates();
    assertThat(options).as(where).allMatch(option -> values(option).size() == 1);
    List<String> choices = options.stream().map(option -> values(option).getFirst()).toList();
    assertThat(choices).as(where).doesNotHaveDuplicates().containsAll(values);
  }

  /// The form as someone submits it who has changed nothing, with these fields only, or all.
  static String submit(XmlElement form, String... only) {
    StringBuilder x = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    fields(form)
        .filter(field -> {
          String name = String.valueOf(field.attribute("var"));
          return only.length == 0 || name.equals("FORM_TYPE") || Arrays.asList(only).contains(name);
        })
        .forEach(field -> {
          x.append("<field var='").append(field.attribute("var")).append("'>");
          values(field)
              .forEach(
                  value -> x.append("<value>").append(XmlElement.escape(value)).append("</value>"));
          x.append("</field>");
        });
    return x.append("</x>").toString();
  }
}
