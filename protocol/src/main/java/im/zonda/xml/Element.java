package im.zonda.xml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An immutable XML element: its name, its attributes and what it contains.
///
/// Namespace declarations are not attributes here; the serialiser writes those that are needed.
public final class Element implements Node {
  private final QName name;
  private final Map<QName, String> attributes;
  private final List<Node> nodes;

  private Element(QName name, Map<QName, String> attributes, List<Node> nodes) {
    this.name = name;
    this.attributes = attributes;
    this.nodes = nodes;
  }

  /// Creates an element from checked input without further checks. Takes ownership of the
  /// arguments: names and texts must be valid XML, attributes unique, and the list immutable.
  public static Element ofChecked(
      QName name, QName[] attributeNames, String[] attributeValues, List<Node> nodes) {
    return new Element(
        name,
        attributeNames.length == 0 ? Map.of() : new AttributeMap(attributeNames, attributeValues),
        nodes);
  }

  /// An element with no attributes and no content.
  ///
  /// @throws IllegalArgumentException if the name is not a valid XML name
  public static Element of(QName name) {
    return new Element(requireValid(name), Map.of(), List.of());
  }

  /// An element with no attributes and no content.
  public static Element of(String namespace, String name) {
    return of(new QName(namespace, name));
  }

  /// An element that contains only `text`.
  public static Element text(QName name, String text) {
    return builder(name).text(text).build();
  }

  /// Creates a builder of an element with this name.
  public static Builder builder(QName name) {
    return new Builder(name);
  }

  /// Creates a builder of an element with this name.
  public static Builder builder(String namespace, String name) {
    return new Builder(new QName(namespace, name));
  }

  /// The element's name.
  public QName name() {
    return name;
  }

  /// Whether the element has this namespace and local name.
  public boolean is(String namespace, String localName) {
    return name.name().equals(localName) && name.namespace().equals(namespace);
  }

  /// All attributes, in document order.
  public Map<QName, String> attributes() {
    return attributes;
  }

  /// The value of the attribute with this local name and no namespace, or null.
  public @Nullable String attribute(String localName) {
    return attributes instanceof AttributeMap map ? map.get(localName) : null;
  }

  /// The value of that attribute, or null.
  public @Nullable String attribute(QName attribute) {
    return attributes.get(attribute);
  }

  /// The content of the element, in document order.
  public List<Node> nodes() {
    return nodes;
  }

  /// The child elements, in document order.
  public List<Element> children() {
    List<Element> children = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  /// The first child element with this name, or null.
  public @Nullable Element child(QName child) {
    for (Node node : nodes) {
      if (node instanceof Element element && element.name.equals(child)) {
        return element;
      }
    }
    return null;
  }

  /// The first child element with this local name in the element's own namespace, or null.
  public @Nullable Element child(String localName) {
    return child(new QName(name.namespace(), localName));
  }

  /// The text directly inside the element, joined.
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Node node : nodes) {
      if (node instanceof Text part) {
        text.append(part.value());
      }
    }
    return text.toString();
  }

  /// A builder that starts as a copy of this element.
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    builder.attributes.putAll(attributes);
    builder.nodes.addAll(nodes);
    return builder;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Element that
        && name.equals(that.name)
        && attributes.equals(that.attributes)
        && nodes.equals(that.nodes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * name.hashCode() + attributes.hashCode()) + nodes.hashCode();
  }

  /// The element as XML text.
  @Override
  public String toString() {
    return XmlWriter.toString(this);
  }

  /// Collects the parts of an element. Not thread-safe.
  public static final class Builder {
    private final QName name;
    private final Map<QName, String> attributes = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();

    private Builder(QName name) {
      this.name = requireValid(name);
    }

    /// Sets an attribute with no namespace; null leaves it out.
    ///
    /// @throws IllegalArgumentException if the name or the value is not allowed in XML
    public Builder attribute(String localName, @Nullable String value) {
      return attribute(new QName("", localName), value);
    }

    /// Sets an attribute; null leaves it out.
    ///
    /// @throws IllegalArgumentException if the name or the value is not allowed in XML
    public Builder attribute(QName attribute, @Nullable String value) {
      if (value != null) {
        if (attribute.namespace().isEmpty() && attribute.name().equals("xmlns")) {
          throw new IllegalArgumentException("a namespace declaration is not an attribute");
        }
        attributes.put(requireValid(attribute), XmlChars.requireChars(value));
      }
      return this;
    }

    /// Removes an attribute if it exists.
    public Builder withoutAttribute(QName attribute) {
      attributes.remove(attribute);
      return this;
    }

    /// Appends text. Empty text adds nothing; adjacent texts are joined.
    public Builder text(String value) {
      if (value.isEmpty()) {
        return this;
      }
      if (!nodes.isEmpty() && nodes.getLast() instanceof Text before) {
        nodes.set(nodes.size() - 1, new Text(before.value() + value));
      } else {
        nodes.add(new Text(value));
      }
      return this;
    }

    /// Appends a child element.
    public Builder child(Element child) {
      nodes.add(child);
      return this;
    }

    /// Appends an element or text.
    public Builder node(Node node) {
      return switch (node) {
        case Element child -> child(child);
        case Text part -> text(part.value());
      };
    }

    /// Appends a child element that has this element's namespace and contains only `text`.
    public Builder child(String localName, String text) {
      return child(Element.text(new QName(name.namespace(), localName), text));
    }

    /// Appends child elements.
    public Builder children(Iterable<Element> children) {
      children.forEach(nodes::add);
      return this;
    }

    /// The element.
    public Element build() {
      return new Element(name, compact(attributes), List.copyOf(nodes));
    }

    private static Map<QName, String> compact(Map<QName, String> attributes) {
      return attributes.isEmpty()
          ? Map.of()
          : new AttributeMap(
              attributes.keySet().toArray(new QName[0]),
              attributes.values().toArray(new String[0]));
    }
  }

  // Checked when an element is made, so that the serialiser cannot fail half way through a stream.
  private static QName requireValid(QName name) {
    XmlChars.requireName(name.name());
    XmlChars.requireChars(name.namespace());
    if (name.namespace().equals(XmlNamespaces.XMLNS)) {
      throw new IllegalArgumentException("the namespace of namespace declarations");
    }
    return name;
  }
}
