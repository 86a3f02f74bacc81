package im.zonda.module.search;

import im.zonda.module.forms.DataForm;
import im.zonda.module.rsm.ResultSetRequest;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The XML of the search: with data forms (XEP-0055, section 3), and without (section 2).
final class SearchForms {
  static final String NAMESPACE = "jabber:iq:search";
  static final QName QUERY = new QName(NAMESPACE, "query");

  private static final String INSTRUCTIONS =
      "Fill in one or more fields to search for users of this server.";

  private SearchForms() {}

  /// The fields of the search.
  static Element fields(List<Field> fields) {
    Element.Builder query = Element.builder(QUERY).child("instructions", INSTRUCTIONS);
    DataForm.Builder form =
        DataForm.builder("form", NAMESPACE).title("User Search").instructions(INSTRUCTIONS);
    for (Field field : fields) {
      query.child(Element.of(NAMESPACE, field.word()));
      form.text(field.word(), field.label(), null);
    }
    return query.child(form.build().toElement()).build();
  }

  /// The texts that are searched for, folded; null if the form is none of a search.
  static @Nullable Map<Field, String> wanted(Element query, List<Field> fields) {
    Map<Field, String> wanted = new EnumMap<>(Field.class);
    Element x = query.child(DataForm.X);
    DataForm form = DataForm.of(x);
    if (x != null
        && (form == null || !form.type().equals("submit") || !NAMESPACE.equals(form.kind()))) {
      return null;
    }
    for (Field field : fields) {
      DataForm.Field submitted = form == null ? null : form.field(field.word());
      Element child = form == null ? query.child(field.word()) : null;
      String text = submitted != null ? submitted.value() : child == null ? null : child.text();
      if (text != null && !text.isBlank()) {
        wanted.put(field, DirectoryEntry.folded(text));
      }
    }
    return wanted;
  }

  /// A result, in the form in which it was asked for.
  ///
  /// @param paged whether a page was asked for
  static Element result(
      List<Directory.Found> found, List<Field> fields, boolean withForm, boolean paged) {
    Element.Builder query = Element.builder(QUERY);
    if (withForm) {
      query.child(table(found, fields));
    } else {
      found.forEach(each -> query.child(item(each, fields)));
    }
    if (paged) {
      query.child(
          found.isEmpty()
              ? ResultSetRequest.result(null, null)
              : ResultSetRequest.result(
                  found.getFirst().jid().toString(), found.getLast().jid().toString()));
    }
    return query.build();
  }

  private static Element item(Directory.Found found, List<Field> fields) {
    Element.Builder item =
        Element.builder(NAMESPACE, "item").attribute("jid", found.jid().toString());
    fields.forEach(field -> item.child(field.word(), found.entry().value(field)));
    return item.build();
  }

  private static Element table(List<Directory.Found> found, List<Field> fields) {
    Element.Builder reported = element("reported");
    reported.child(column("jid", "Jabber ID", "jid-single"));
    fields.forEach(field -> reported.child(column(field.word(), field.label(), "text-single")));
    Element.Builder x =
        DataForm.builder("result", NAMESPACE).build().toElement().toBuilder()
            .child(reported.build());
    for (Directory.Found each : found) {
      Element.Builder item = element("item").child(value("jid", each.jid().toString()));
      fields.forEach(field -> item.child(value(field.word(), each.entry().value(field))));
      x.child(item.build());
    }
    return x.build();
  }

  private static Element.Builder element(String name) {
    return Element.builder(DataForm.NAMESPACE, name);
  }

  private static Element column(String name, String label, String type) {
    return element("field")
        .attribute("var", name)
        .attribute("type", type)
        .attribute("label", label)
        .build();
  }

  private static Element value(String name, String text) {
    return element("field").attribute("var", name).child("value", text).build();
  }
}
