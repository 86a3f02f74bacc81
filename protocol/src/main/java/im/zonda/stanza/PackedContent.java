package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Content as its serialised bytes after the addresses, which takes the least memory. Every access
/// except writing parses the bytes again.
final class PackedContent implements Content {
  private final String name;
  private final byte[] tail;

  private PackedContent(String name, byte[] tail) {
    this.name = name;
    this.tail = tail;
  }

  /// The content of a stanza with this name.
  static Content of(String name, Content content) {
    if (content instanceof PackedContent
        || (content instanceof TreeContent tree && tree.hasSender())) {
      return content;
    }
    ByteArraySink sink = new ByteArraySink(content.writtenSize() + name.length() + 1);
    content.write(null, null, sink);
    return new PackedContent(name, sink.toByteArray(1 + name.length()));
  }

  /// What cannot be read, because of a defect, has no children: it is kept for long and read often,
  /// and must not fail what is done with it. It is still written as it is.
  private Content read() {
    String xml = "<" + name + new String(tail, StandardCharsets.UTF_8);
    try {
      return new TreeContent(XmlParser.parse(xml, Namespaces.CLIENT));
    } catch (XmlException e) {
      Map<String, String> tag = StartTag.attributes(xml);
      return TreeContent.built(name, tag.get("type"), tag.get("id"), List.of());
    }
  }

  @Override
  public @Nullable String id() {
    return read().id();
  }

  @Override
  public @Nullable String lang() {
    return read().lang();
  }

  @Override
  public int size() {
    return read().size();
  }

  @Override
  public QName name(int child) {
    return read().name(child);
  }

  @Override
  public Element payload(int child) {
    return read().payload(child);
  }

  @Override
  public int find(QName payload) {
    return read().find(payload);
  }

  @Override
  public @Nullable Element payload(QName payload) {
    return read().payload(payload);
  }

  @Override
  public List<QName> names() {
    return read().names();
  }

  @Override
  public List<Element> payloads() {
    return read().payloads();
  }

  @Override
  public Content withId(String id) {
    return read().withId(id);
  }

  @Override
  public Content withLang(@Nullable String lang) {
    return read().withLang(lang);
  }

  @Override
  public Content with(Element payload) {
    return read().with(payload);
  }

  @Override
  public Content with(QName payloadName, byte[] payload) {
    return read().with(payloadName, payload);
  }

  @Override
  public Content without(Predicate<Element> drop) {
    return read().without(drop);
  }

  @Override
  public void write(@Nullable Jid from, @Nullable Jid to, ByteSink sink) {
    StanzaTag.open(name, from, to, sink);
    sink.put(tail);
  }

  @Override
  public int writtenSize() {
    return tail.length;
  }

  @Override
  public Element toElement(@Nullable Jid from, @Nullable Jid to) {
    return read().toElement(from, to);
  }
}
