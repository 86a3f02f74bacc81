package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.framing.Frame;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Content as received: its bytes are forwarded unchanged after a new start tag.
///
/// Only for frames that [StanzaReader] accepts: without prefixes that are declared outside, and
/// without attributes other than the five of a stanza.
final class RawContent implements Content {
  /// In place of the position of an attribute: the stanza has no such attribute.
  private static final int ABSENT = -1;

  private final Frame frame;
  // ABSENT if there is none, or if `id` is used instead.
  private final byte idAt;
  private final byte typeAt;
  // ABSENT if there is none, or if `lang` is used instead.
  private final byte langAt;
  private final @Nullable String lang;
  // Read from the frame when it is first asked for, unless it is used instead.
  private @Nullable String id;

  /// Creates content from the indexes of three attributes in the frame, -1 for none.
  RawContent(Frame frame, int idAt, int typeAt, int langAt) {
    this.frame = frame;
    this.idAt = (byte) idAt;
    this.typeAt = (byte) typeAt;
    this.langAt = (byte) langAt;
    this.lang = null;
  }

  private RawContent(RawContent of, Frame frame) {
    this.frame = frame;
    this.idAt = of.idAt;
    this.typeAt = of.typeAt;
    this.langAt = of.langAt;
    this.lang = of.lang;
    this.id = of.id;
  }

  private RawContent(
      RawContent of, byte idAt, @Nullable String id, byte langAt, @Nullable String lang) {
    this.frame = of.frame;
    this.idAt = idAt;
    this.typeAt = of.typeAt;
    this.langAt = langAt;
    this.lang = lang;
    this.id = id;
  }

  @Override
  public @Nullable String id() {
    String known = id;
    if (known == null && idAt != ABSENT) {
      known = frame.attributeValue(idAt);
      id = known;
    }
    return known;
  }

  @Override
  public @Nullable String lang() {
    return langAt == ABSENT ? lang : frame.attributeValue(langAt);
  }

  @Override
  public int size() {
    return frame.childCount();
  }

  @Override
  public QName name(int child) {
    return frame.childName(child);
  }

  @Override
  public Element payload(int child) {
    return frame.child(child);
  }

  @Override
  public Content withId(String newId) {
    return new RawContent(this, (byte) ABSENT, newId, langAt, lang);
  }

  @Override
  public Content withLang(@Nullable String newLang) {
    return new RawContent(this, idAt, id, (byte) ABSENT, newLang);
  }

  @Override
  public Content with(Element payload) {
    return new RawContent(this, frame.append(payload));
  }

  @Override
  public Content with(QName name, byte[] payload) {
    return new RawContent(this, frame.append(name, payload));
  }

  @Override
  public Content without(Predicate<Element> drop) {
    return withoutChildren(child -> drop.test(payload(child)));
  }

  @Override
  public Content without(QName name, Predicate<Element> drop) {
    return withoutChildren(child -> name(child).equals(name) && drop.test(payload(child)));
  }

  private Content withoutChildren(IntPredicate drop) {
    boolean[] dropped = new boolean[size()];
    boolean any = false;
    for (int i = 0; i < dropped.length; i++) {
      dropped[i] = drop.test(i);
      any |= dropped[i];
    }
    return any ? new RawContent(this, frame.without(dropped)) : this;
  }

  @Override
  public void write(@Nullable Jid from, @Nullable Jid to, ByteSink sink) {
    StanzaTag.open(frame.name().name(), from, to, sink);
    if (idAt != ABSENT) {
      attribute(idAt, sink);
    } else if (id != null) {
      StanzaTag.id(id, sink);
    }
    attribute(typeAt, sink);
    attribute(langAt, sink);
    if (lang != null) {
      StanzaTag.lang(lang, sink);
    }
    byte[] bytes = frame.bytes();
    int rest = frame.startTagEnd() - (frame.isEmptyTag() ? 2 : 1);
    sink.put(bytes, rest, bytes.length - rest);
  }

  // The attribute's bytes as received, from the white space before the name to the closing quote.
  private void attribute(int attribute, ByteSink sink) {
    if (attribute != ABSENT) {
      int from = frame.attributeStart(attribute) - 1;
      sink.put(frame.bytes(), from, frame.valueEnd(attribute) + 1 - from);
    }
  }

  @Override
  public int writtenSize() {
    return frame.bytes().length;
  }

  @Override
  public Element toElement(@Nullable Jid from, @Nullable Jid to) {
    Element element = TreeContent.addressed(frame.toElement(), from, to);
    Element named = idAt == ABSENT && id != null ? TreeContent.withId(element, id) : element;
    return langAt != ABSENT || (lang == null && named.attribute(TreeContent.LANG) == null)
        ? named
        : TreeContent.withLang(named, lang);
  }
}
