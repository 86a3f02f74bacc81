package im.zonda.testkit.scenario;

import im.zonda.testkit.xml.XmlElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/// Compares an element of a scenario with a received one.
///
/// Names and the attributes in the scenario must be equal; each child in the scenario must occur
/// once, in any order. Further children, and further attributes except on the stanza itself, are a
/// difference unless the scenario says "at least".
final class ElementMatcher {
  private final Bindings bindings;
  private final boolean atLeast;

  ElementMatcher(Bindings bindings, boolean atLeast) {
    this.bindings = bindings;
    this.atLeast = atLeast;
  }

  /// Describes the first difference, or returns null and binds the names if there is none.
  @Nullable String difference(XmlElement expected, XmlElement received) {
    Map<String, String> before = bindings.save();
    String difference = compare(expected, received, true);
    if (difference != null) {
      bindings.restore(before);
    }
    return difference;
  }

  private @Nullable String compare(XmlElement expected, XmlElement received, boolean stanza) {
    if (!expected.name().equals(received.name())) {
      return "expected " + name(expected) + ", got " + name(received);
    }
    String attributes = compareAttributes(expected, received, stanza);
    if (attributes != null) {
      return attributes;
    }
    String written = expected.text().strip();
    boolean textMatters = !written.isEmpty() || !atLeast;
    if (textMatters && !bindings.matches(written, received.text().strip())) {
      return "text of "
          + name(expected)
          + ": expected '"
          + bindings.fill(written)
          + "', got '"
          + received.text().strip()
          + "'";
    }
    return compareChildren(expected, received);
  }

  private @Nullable String compareAttributes(
      XmlElement expected, XmlElement received, boolean stanza) {
    for (Map.Entry<QName, String> attribute : expected.attributes().entrySet()) {
      String value = received.attributes().get(attribute.getKey());
      String where = "attribute " + attribute.getKey() + " of " + name(expected);
      if (value == null) {
        return where + " is missing";
      }
      if (!bindings.matches(attribute.getValue(), value)) {
        return where
            + ": expected '"
            + bindings.fill(attribute.getValue())
            + "', got '"
            + value
            + "'";
      }
    }
    if (!stanza && !atLeast) {
      Set<QName> more = new HashSet<>(received.attributes().keySet());
      more.removeAll(expected.attributes().keySet());
      if (!more.isEmpty()) {
        return name(expected) + " has attributes that are not expected: " + more;
      }
    }
    return null;
  }

  private @Nullable String compareChildren(XmlElement expected, XmlElement received) {
    List<XmlElement> left = new ArrayList<>(received.children());
    String difference = place(expected.children(), 0, left);
    if (difference != null) {
      return difference;
    }
    if (!left.isEmpty() && !atLeast) {
      return name(expected) + " has a child that is not expected: " + left.getFirst();
    }
    return null;
  }

  /// Matches the scenario's children from `index` on; backtracks if a name was bound wrongly.
  private @Nullable String place(List<XmlElement> expected, int index, List<XmlElement> left) {
    if (index == expected.size()) {
      return null;
    }
    XmlElement wanted = expected.get(index);
    String difference = "";
    for (int i = 0; i < left.size(); i++) {
      XmlElement candidate = left.get(i);
      Map<String, String> before = bindings.save();
      String found = compare(wanted, candidate, false);
      if (found == null) {
        left.remove(i);
        found = place(expected, index + 1, left);
        if (found == null) {
          return null;
        }
        left.add(i, candidate);
        difference = found;
      } else if (candidate.name().equals(wanted.name()) && difference.isEmpty()) {
        difference = found;
      }
      bindings.restore(before);
    }
    return difference.isEmpty() ? "child is missing: " + wanted : difference;
  }

  private static String name(XmlElement element) {
    return "<" + element.localName() + " xmlns='" + element.namespace() + "'>";
  }
}
