package im.zonda.module.search;

import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A user's entry in the directory: the searchable part of the vCard (XEP-0054).
///
/// In the store it is text of nine lines: whether the vCard is public, the fields, and the fields
/// in lower case, in which the database searches.
///
/// @param isPublic whether the vCard has the class `PUBLIC`
/// @param values the values of all [Field]s, in their order; empty where there is none
record DirectoryEntry(boolean isPublic, List<String> values) {
  private static final String PUBLIC = "public";
  private static final List<Field> FIELDS = List.of(Field.values());

  /// The most characters of one field.
  private static final int LONGEST = 255;

  DirectoryEntry {
    values = List.copyOf(values);
  }

  /// The entry for a vCard; null if there is none, if it is private or confidential, or if nothing
  /// in it can be searched.
  static @Nullable DirectoryEntry of(@Nullable Element vcard) {
    if (vcard == null) {
      return null;
    }
    Element type = vcard.child("CLASS");
    if (type != null && (type.child("PRIVATE") != null || type.child("CONFIDENTIAL") != null)) {
      return null;
    }
    Element name = vcard.child("N");
    String first = text(name, "GIVEN");
    String last = text(name, "FAMILY");
    if (first.isEmpty() && last.isEmpty()) {
      first = text(vcard, "FN");
    }
    List<String> values =
        List.of(first, last, text(vcard, "NICKNAME"), text(vcard.child("EMAIL"), "USERID"));
    return values.stream().allMatch(String::isEmpty)
        ? null
        : new DirectoryEntry(type != null && type.child("PUBLIC") != null, values);
  }

  private static String text(@Nullable Element parent, String name) {
    Element child = parent == null ? null : parent.child(name);
    if (child == null) {
      return "";
    }
    String line = child.text().replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    if (line.length() <= LONGEST) {
      return line;
    }
    boolean splits = Character.isHighSurrogate(line.charAt(LONGEST - 1));
    return line.substring(0, splits ? LONGEST - 1 : LONGEST);
  }

  /// Text as it is compared.
  static String folded(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }

  String value(Field field) {
    return values.get(FIELDS.indexOf(field));
  }

  /// Whether each of these fields contains the text, which is [#folded].
  boolean matches(Map<Field, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(each -> folded(value(each.getKey())).contains(each.getValue()));
  }

  /// The form for the store.
  byte[] stored() {
    List<String> lines = new ArrayList<>();
    lines.add(isPublic ? PUBLIC : "");
    lines.addAll(values);
    values.forEach(value -> lines.add(folded(value)));
    return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
  }

  /// Reads what [#stored] wrote; null if it is something else.
  static @Nullable DirectoryEntry read(byte[] stored) {
    String[] lines = new String(stored, StandardCharsets.UTF_8).split("\n", -1);
    return lines.length == 1 + 2 * FIELDS.size()
        ? new DirectoryEntry(
            lines[0].equals(PUBLIC), Arrays.asList(lines).subList(1, 1 + FIELDS.size()))
        : null;
  }
}
