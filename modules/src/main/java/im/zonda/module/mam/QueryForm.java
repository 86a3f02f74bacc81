package im.zonda.module.mam;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The data form of a query (XEP-0313, section 4.1). Ids are text here: the archive has no entry
/// for an id that is not a number.
final class QueryForm {
  private static final String FORMS = "jabber:x:data";
  private static final String VALIDATE = "http://jabber.org/protocol/xdata-validate";
  private static final QName FORM = new QName(FORMS, "x");

  /// Whether to include messages of rooms.
  static final String GROUPCHAT = "include-groupchat";

  /// The words to search for.
  static final String FULL_TEXT = "{urn:xmpp:fulltext:0}fulltext";

  private static final Map<String, String> LABELS =
      Map.of(
          "with",
          "Messages to or from this JID",
          "start",
          "Earliest time",
          "end",
          "Latest time",
          "before-id",
          "Messages before this ID",
          "after-id",
          "Messages after this ID",
          "ids",
          "Messages with these IDs",
          GROUPCHAT,
          "Include groupchat messages",
          FULL_TEXT,
          "Search for");

  private static final List<String> EVERYWHERE =
      List.of("with", "start", "end", "before-id", "after-id");

  private static final List<String> AT_NODES = List.of("with", "start", "end");

  private @Nullable Jid with;
  private long start = Long.MIN_VALUE;
  private long end = Long.MAX_VALUE;
  private @Nullable String beforeId;
  private @Nullable String afterId;
  private @Nullable Set<String> ids;
  private @Nullable String text;

  private QueryForm() {}

  /// Reads the form of a query to an archive of messages, if it has one.
  ///
  /// @param more the supported fields besides those of every such archive
  /// @throws RejectedException `feature-not-implemented` for an unknown field, `bad-request` for an
  ///   invalid one
  static QueryForm of(Element query, List<String> more) throws RejectedException {
    List<String> fields = new ArrayList<>(EVERYWHERE);
    fields.add("ids");
    fields.addAll(more);
    return read(query, fields);
  }

  /// Reads the form of a query to the archive of a node, if it has one.
  static QueryForm ofNode(Element query) throws RejectedException {
    return read(query, AT_NODES);
  }

  /// @param fields the supported fields
  private static QueryForm read(Element query, List<String> fields) throws RejectedException {
    QueryForm form = new QueryForm();
    Element x = query.child(FORM);
    if (x == null) {
      return form;
    }
    Set<String> seen = new HashSet<>();
    for (Element field : x.children()) {
      String name = field.attribute("var");
      if (!field.name().equals(new QName(FORMS, "field")) || name == null) {
        continue;
      }
      if (!seen.add(name)) {
        throw new RejectedException(
            ErrorCondition.BAD_REQUEST, "A field of the form is contained twice.");
      }
      form.take(name, field, fields);
    }
    if (!seen.contains("FORM_TYPE")) {
      throw new RejectedException(ErrorCondition.BAD_REQUEST, "The form has no FORM_TYPE.");
    }
    return form;
  }

  private void take(String name, Element field, List<String> fields) throws RejectedException {
    List<String> values =
        field.children().stream()
            .filter(child -> child.is(FORMS, "value"))
            .map(child -> child.text().strip())
            .toList();
    if (!name.equals("FORM_TYPE") && !fields.contains(name)) {
      if (!name.equals("ids")) {
        one(values); // what has several values is bad before it is unknown
      }
      throw new RejectedException(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, "A field of the form is not supported.");
    }
    switch (name) {
      case "FORM_TYPE" -> {
        if (!values.equals(List.of(MamModule.NAMESPACE))) {
          throw new RejectedException(
              ErrorCondition.BAD_REQUEST, "The FORM_TYPE is not " + MamModule.NAMESPACE + ".");
        }
      }
      case "ids" -> {
        boolean empty = values.stream().allMatch(String::isEmpty);
        ids = empty ? null : Set.copyOf(values);
      }
      default -> {
        String value = one(values);
        if (value != null) {
          takeOne(name, value);
        }
      }
    }
  }

  private void takeOne(String name, String value) throws RejectedException {
    switch (name) {
      case "with" -> with = address(value);
      case "start" -> start = ArchiveTime.first(value);
      case "end" -> end = ArchiveTime.last(value);
      case "before-id" -> beforeId = value;
      case "after-id" -> afterId = value;
      case GROUPCHAT -> requireBoolean(value); // archives of accounts have none
      default -> text = value;
    }
  }

  /// The single value of a field, or null if it is empty.
  private static @Nullable String one(List<String> values) throws RejectedException {
    if (values.size() > 1) {
      throw new RejectedException(ErrorCondition.BAD_REQUEST, "A field has more than one value.");
    }
    return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
  }

  private static Jid address(String value) throws RejectedException {
    try {
      return Jid.of(value);
    } catch (JidFormatException e) {
      throw new RejectedException(ErrorCondition.BAD_REQUEST, "The field with is not a valid JID.");
    }
  }

  private static void requireBoolean(String value) throws RejectedException {
    switch (value) {
      case "true", "false", "1", "0" -> {}
      default ->
          throw new RejectedException(
              ErrorCondition.BAD_REQUEST, "A field is neither true nor false.");
    }
  }

  @Nullable Jid with() {
    return with;
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  @Nullable String beforeId() {
    return beforeId;
  }

  @Nullable String afterId() {
    return afterId;
  }

  @Nullable Set<String> ids() {
    return ids;
  }

  @Nullable String text() {
    return text;
  }

  /// The form with the supported fields.
  static Element empty(List<String> more) {
    Element.Builder form = Element.builder(FORM).attribute("type", "form");
    form.child(
        field("FORM_TYPE", "hidden")
            .child(Element.text(new QName(FORMS, "value"), MamModule.NAMESPACE))
            .build());
    form.child(field("with", "jid-single").build());
    for (String name : List.of("start", "end", "before-id", "after-id")) {
      form.child(field(name, "text-single").build());
    }
    form.child(
        field("ids", "list-multi")
            .child(
                Element.builder(VALIDATE, "validate")
                    .attribute("datatype", "xs:string")
                    .child(Element.of(VALIDATE, "open"))
                    .build())
            .build());
    for (String name : more) {
      form.child(field(name, name.equals(GROUPCHAT) ? "boolean" : "text-single").build());
    }
    return form.build();
  }

  /// The form with the fields of the archive of a node.
  static Element ofNodes() {
    return Element.builder(FORM)
        .attribute("type", "form")
        .child(
            field("FORM_TYPE", "hidden")
                .child(Element.text(new QName(FORMS, "value"), MamModule.NAMESPACE))
                .build())
        .child(field("with", "jid-single").build())
        .child(field("start", "text-single").build())
        .child(field("end", "text-single").build())
        .build();
  }

  private static Element.Builder field(String name, String type) {
    return Element.builder(FORMS, "field")
        .attribute("type", type)
        .attribute("var", name)
        .attribute("label", LABELS.get(name));
  }
}
