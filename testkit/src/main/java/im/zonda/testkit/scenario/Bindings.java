package im.zonda.testkit.scenario;

import im.zonda.testkit.xml.XmlElement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The values of names `{$name}`, and the comparison of scenario text with received text.
final class Bindings {
  private static final Pattern PLACE = Pattern.compile("\\{(any|\\$\\w+)}");

  private final Map<String, String> values = new HashMap<>();

  /// Whether `received` matches the text of the scenario; binds new names.
  boolean matches(String written, String received) {
    Matcher place = PLACE.matcher(written);
    StringBuilder pattern = new StringBuilder();
    Map<String, String> groups = new HashMap<>();
    int at = 0;
    while (place.find()) {
      pattern.append(Pattern.quote(written.substring(at, place.start())));
      pattern.append(part(place.group(1), groups));
      at = place.end();
    }
    if (at == 0) {
      return written.equals(received);
    }
    pattern.append(Pattern.quote(written.substring(at)));
    Matcher matcher = Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(received);
    if (!matcher.matches()) {
      return false;
    }
    groups.forEach((name, group) -> values.put(name, matcher.group(group)));
    return true;
  }

  private String part(String place, Map<String, String> groups) {
    if (place.equals("any")) {
      return ".*";
    }
    String value = values.get(place);
    if (value != null) {
      return Pattern.quote(value);
    }
    String group = groups.get(place);
    if (group != null) {
      return "\\k<" + group + ">";
    }
    String made = "g" + groups.size();
    groups.put(place, made);
    return "(?<" + made + ">.*)";
  }

  /// Returns `text` with bound names replaced; unbound names stay.
  String fill(String text) {
    return replace(text, UnaryOperator.identity());
  }

  /// Replaces names in XML text.
  String fillXml(String xml) {
    return replace(xml, XmlElement::escape);
  }

  private String replace(String text, UnaryOperator<String> escaping) {
    return PLACE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(value(found, escaping)));
  }

  private String value(MatchResult found, UnaryOperator<String> escaping) {
    String value = values.get(found.group(1));
    return value == null ? found.group() : escaping.apply(value);
  }

  /// A snapshot of the bindings for [#restore].
  Map<String, String> save() {
    return Map.copyOf(values);
  }

  /// Restores a snapshot.
  void restore(Map<String, String> saved) {
    values.clear();
    values.putAll(saved);
  }
}
