package im.zonda.testkit.xml;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/// An element as a test reads it.
///
/// @param name namespace and local name
/// @param attributes all attributes, in document order, without namespace declarations
/// @param children the child elements, in document order
/// @param text the text directly inside, joined
public record XmlElement(
    QName name, Map<QName, String> attributes, List<XmlElement> children, String text) {

  /// Whether it has that namespace and local name.
  public boolean is(String namespace, String localName) {
    return name.getLocalPart().equals(localName) && name.getNamespaceURI().equals(namespace);
  }

  /// The local name.
  public String localName() {
    return name.getLocalPart();
  }

  /// The namespace; empty for none.
  public String namespace() {
    return name.getNamespaceURI();
  }

  /// The value of the attribute of that name and no namespace, or null.
  public @Nullable String attribute(String localName) {
    return attributes.get(new QName(localName));
  }

  /// The first child of that local name, or null.
  public @Nullable XmlElement child(String localName) {
    return children.stream().filter(c -> c.localName().equals(localName)).findFirst().orElse(null);
  }

  /// The first child of that namespace and local name, or null.
  public @Nullable XmlElement child(String namespace, String localName) {
    return children.stream().filter(c -> c.is(namespace, localName)).findFirst().orElse(null);
  }

  /// The text of the first child of that local name; empty if there is none.
  public String childText(String localName) {
    XmlElement child = child(localName);
    return child == null ? "" : child.text();
  }

  /// The name of the first child of `error` or of a stream error: the defined condition; empty if
  /// there is none.
  public String condition() {
    XmlElement error = localName().equals("error") ? this : child("error");
    return error == null || error.children().isEmpty()
        ? ""
        : error.children().getFirst().localName();
  }

  /// The element as XML, as if it stood in a client's stream.
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    write(out, "jabber:client");
    return out.toString();
  }

  private void write(StringBuilder out, String surroundingNamespace) {
    out.append('<').append(localName());
    if (!namespace().equals(surroundingNamespace)) {
      out.append(" xmlns='").append(escape(namespace())).append('\'');
    }
    attributes.forEach((attribute, value) ->
        out.append(' ')
            .append(attribute.getPrefix().isEmpty() ? "" : attribute.getPrefix() + ":")
            .append(attribute.getLocalPart())
            .append("='")
            .append(escape(value))
            .append('\''));
    if (children.isEmpty() && text.isEmpty()) {
      out.append("/>");
      return;
    }
    out.append('>').append(escape(text));
    for (XmlElement child : children) {
      child.write(out, namespace());
    }
    out.append("</").append(localName()).append('>');
  }

  /// Text made safe for an attribute or for content.
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&apos;")
        .replace("\"", "&quot;");
  }
}
