package im.zonda.module.disco;

import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The verification string of entity capabilities (XEP-0115, section 5.1).
final class VerificationString {
  private static final QName LANG = new QName(Namespaces.XML, "lang");
  private static final QName FORM = new QName("jabber:x:data", "x");

  /// The collation `i;octet` (RFC 4790, section 9.3): by the bytes of UTF-8, which differs from the
  /// order of Java strings outside the basic plane.
  private static final Comparator<String> OCTETS =
      (one, other) ->
          Arrays.compareUnsigned(
              one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

  private record Identity(String category, String type, String lang, String name) {}

  private record Field(String variable, List<String> values) {}

  private record Form(String type, List<Field> fields) {}

  private VerificationString() {}

  /// The SHA-1 verification string of the content of a disco#info result.
  static String of(Element info) {
    StringBuilder text = new StringBuilder(1_024);
    appendIdentities(info, text);
    info.children().stream()
        .filter(child -> child.is(DiscoModule.INFO, "feature"))
        .map(feature -> attribute(feature, "var"))
        .sorted(OCTETS)
        .forEach(feature -> text.append(feature).append('<'));
    appendForms(info, text);
    byte[] digest = sha1().digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(digest);
  }

  private static void appendIdentities(Element info, StringBuilder text) {
    info.children().stream()
        .filter(child -> child.is(DiscoModule.INFO, "identity"))
        .map(child ->
            new Identity(
                attribute(child, "category"),
                attribute(child, "type"),
                Objects.requireNonNullElse(child.attribute(LANG), ""),
                attribute(child, "name")))
        .sorted(
            Comparator.comparing(Identity::category, OCTETS)
                .thenComparing(Identity::type, OCTETS)
                .thenComparing(Identity::lang, OCTETS))
        .forEach(identity ->
            text.append(identity.category)
                .append('/')
                .append(identity.type)
                .append('/')
                .append(identity.lang)
                .append('/')
                .append(identity.name)
                .append('<'));
  }

  private static void appendForms(Element info, StringBuilder text) {
    List<Form> forms = new ArrayList<>();
    for (Element child : info.children()) {
      Form form = child.name().equals(FORM) ? form(child) : null;
      if (form != null) {
        forms.add(form);
      }
    }
    forms.sort(Comparator.comparing(Form::type, OCTETS));
    for (Form form : forms) {
      text.append(form.type).append('<');
      for (Field field : form.fields) {
        text.append(field.variable).append('<');
        field.values.forEach(value -> text.append(value).append('<'));
      }
    }
  }

  /// The form in the order of the algorithm, or null for a form without a hidden FORM_TYPE, which
  /// is ignored (section 5.4).
  private static @Nullable Form form(Element element) {
    String type = null;
    List<Field> fields = new ArrayList<>();
    for (Element child : element.children()) {
      if (!child.is(FORM.namespace(), "field")) {
        continue;
      }
      String variable = attribute(child, "var");
      List<String> values =
          child.children().stream()
              .filter(each -> each.is(FORM.namespace(), "value"))
              .map(Element::text)
              .sorted(OCTETS)
              .toList();
      if (!variable.equals("FORM_TYPE")) {
        fields.add(new Field(variable, values));
      } else if (attribute(child, "type").equals("hidden") && !values.isEmpty()) {
        type = values.getFirst();
      }
    }
    fields.sort(Comparator.comparing(Field::variable, OCTETS));
    return type == null ? null : new Form(type, fields);
  }

  private static String attribute(Element element, String name) {
    return Objects.requireNonNullElse(element.attribute(name), "");
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
