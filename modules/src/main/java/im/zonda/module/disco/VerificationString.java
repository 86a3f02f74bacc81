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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The verification string of entity capabilities (XEP-0115, section 5.1).
public final class VerificationString {
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

  /// Hash functions by their names in presence (section 4; the names are those of the registry of
  /// IANA).
  private static final Map<String, String> ALGORITHMS =
      Map.of(
          "sha-1", "SHA-1", "sha-224", "SHA-224", "sha-256", "SHA-256", "sha-384", "SHA-384",
          "sha-512", "SHA-512");

  /// Whether a disco#info result is well-formed and has that hash (section 5.4).
  ///
  /// @param algorithm the name of the hash function
  public static boolean verify(Element info, String algorithm, String hash) {
    String function = ALGORITHMS.get(algorithm);
    return function != null && isWellFormed(info) && hash.equals(of(info, function));
  }

  /// No identity, feature or type of a form may occur twice, and a form has one type.
  private static boolean isWellFormed(Element info) {
    Set<Object> seen = new HashSet<>();
    for (Element child : info.children()) {
      Object unique = null;
      if (child.is(DiscoModule.INFO, "identity")) {
        unique = identity(child);
      } else if (child.is(DiscoModule.INFO, "feature")) {
        unique = attribute(child, "var");
      } else if (child.name().equals(FORM)) {
        Set<String> types = types(child);
        if (types.size() > 1) {
          return false;
        }
        unique = types.isEmpty() ? null : types;
      }
      if (unique != null && !seen.add(unique)) {
        return false;
      }
    }
    return true;
  }

  private static Set<String> types(Element form) {
    Set<String> types = new HashSet<>();
    for (Element field : form.children()) {
      if (attribute(field, "var").equals("FORM_TYPE")) {
        field.children().forEach(value -> types.add(value.text()));
      }
    }
    return types;
  }

  /// The SHA-1 verification string of the content of a disco#info result.
  static String of(Element info) {
    return of(info, "SHA-1");
  }

  private static String of(Element info, String function) {
    StringBuilder text = new StringBuilder(1_024);
    appendIdentities(info, text);
    info.children().stream()
        .filter(child -> child.is(DiscoModule.INFO, "feature"))
        .map(feature -> attribute(feature, "var"))
        .sorted(OCTETS)
        .forEach(feature -> text.append(feature).append('<'));
    appendForms(info, text);
    byte[] digest = function(function).digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(digest);
  }

  private static void appendIdentities(Element info, StringBuilder text) {
    info.children().stream()
        .filter(child -> child.is(DiscoModule.INFO, "identity"))
        .map(VerificationString::identity)
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

  private static Identity identity(Element child) {
    return new Identity(
        attribute(child, "category"),
        attribute(child, "type"),
        Objects.requireNonNullElse(child.attribute(LANG), ""),
        attribute(child, "name"));
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

  private static MessageDigest function(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has " + name, e);
    }
  }
}
