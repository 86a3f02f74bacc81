package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlParser;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Content as an element tree: created locally, or received in a form that cannot be forwarded as
/// bytes.
final class TreeContent implements Content {
  static final QName LANG = new QName(Namespaces.XML, "lang");
  private static final QName ID = new QName("", "id");
  private static final QName FROM = new QName("", "from");
  private static final QName TO = new QName("", "to");

  private final Element element;
  private final List<Element> children;

  /// The `from` of an error that answers for what is no address; written if there is no other.
  private final @Nullable String sender;

  // The serialised form after the addresses: created once, also when many copies are sent.
  private volatile byte @Nullable [] tail;

  /// Creates the content of a stanza; its addresses are removed.
  TreeContent(Element stanza) {
    this(stanza, null);
  }

  /// @param sender a `from` that is no address, or null
  TreeContent(Element stanza, @Nullable String sender) {
    this.sender = sender;
    element = addressed(stanza, null, null);
    children = element.children();
  }

  /// Creates content without addresses.
  static TreeContent built(
      String name, @Nullable String type, @Nullable String id, List<Element> payloads) {
    return new TreeContent(
        Element.builder(Namespaces.CLIENT, name)
            .attribute("id", id)
            .attribute("type", type)
            .children(payloads)
            .build());
  }

  @Override
  public @Nullable String id() {
    return element.attribute("id");
  }

  @Override
  public @Nullable String lang() {
    return element.attribute(LANG);
  }

  @Override
  public int size() {
    return children.size();
  }

  @Override
  public QName name(int child) {
    return children.get(child).name();
  }

  @Override
  public Element payload(int child) {
    return children.get(child);
  }

  @Override
  public Content withId(String id) {
    return new TreeContent(withId(element, id), sender);
  }

  @Override
  public Content withLang(@Nullable String lang) {
    return new TreeContent(withLang(element, lang), sender);
  }

  @Override
  public Content with(Element payload) {
    return new TreeContent(element.toBuilder().child(payload).build(), sender);
  }

  @Override
  public Content with(QName name, byte[] payload) {
    try {
      return with(XmlParser.parse(payload));
    } catch (XmlException e) {
      throw new IllegalArgumentException("a payload that is not valid: " + name, e);
    }
  }

  @Override
  public Content without(Predicate<Element> drop) {
    Element.Builder rest = Element.builder(element.name());
    element.attributes().forEach(rest::attribute);
    boolean any = false;
    for (Node node : element.nodes()) {
      boolean dropped = node instanceof Element child && drop.test(child);
      any |= dropped;
      if (!dropped) {
        rest.node(node);
      }
    }
    return any ? new TreeContent(rest.build(), sender) : this;
  }

  @Override
  public void write(@Nullable Jid from, @Nullable Jid to, ByteSink sink) {
    StanzaTag.open(element.name().name(), from, to, sink);
    if (from == null && sender != null) {
      StanzaTag.from(sender, sink);
    }
    sink.put(tail());
  }

  @Override
  public int writtenSize() {
    return tail().length + (sender == null ? 0 : StanzaTag.fromSize(sender));
  }

  @Override
  public Element toElement(@Nullable Jid from, @Nullable Jid to) {
    Element addressed = addressed(element, from, to);
    return from == null && sender != null
        ? addressed.toBuilder().attribute(FROM, sender).build()
        : addressed;
  }

  /// Whether the stanza comes from what is no address.
  boolean hasSender() {
    return sender != null;
  }

  private byte[] tail() {
    byte[] made = tail;
    if (made == null) {
      ByteArraySink sink = new ByteArraySink(256);
      XmlWriter.write(element, Namespaces.CLIENT, sink);
      made = sink.toByteArray(1 + element.name().name().length());
      tail = made;
    }
    return made;
  }

  /// The stanza with exactly these addresses.
  static Element addressed(Element stanza, @Nullable Jid from, @Nullable Jid to) {
    String newFrom = from == null ? null : from.toString();
    String newTo = to == null ? null : to.toString();
    if (Objects.equals(newFrom, stanza.attribute(FROM))
        && Objects.equals(newTo, stanza.attribute(TO))) {
      return stanza;
    }
    return stanza.toBuilder()
        .withoutAttribute(FROM)
        .withoutAttribute(TO)
        .attribute(FROM, newFrom)
        .attribute(TO, newTo)
        .build();
  }

  /// The stanza with this identifier.
  static Element withId(Element stanza, String id) {
    return stanza.toBuilder().withoutAttribute(ID).attribute(ID, id).build();
  }

  /// The stanza with exactly this language.
  static Element withLang(Element stanza, @Nullable String lang) {
    return stanza.toBuilder().withoutAttribute(LANG).attribute(LANG, lang).build();
  }
}
