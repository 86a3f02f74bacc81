package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A stanza without its addresses. Immutable; shared by stanzas that differ only in addresses.
sealed interface Content permits RawContent, TreeContent, PackedContent {
  /// The identifier, or null.
  @Nullable String id();

  /// The language, or null.
  @Nullable String lang();

  /// The number of child elements.
  int size();

  /// The name of a child element.
  QName name(int child);

  /// A child element.
  Element payload(int child);

  /// A copy with this identifier.
  Content withId(String id);

  /// A copy with this language.
  Content withLang(@Nullable String lang);

  /// A copy with one more child at the end.
  Content with(Element payload);

  /// A copy with one more child at the end, given as serialised XML that declares its own
  /// namespace.
  Content with(QName name, byte[] payload);

  /// A copy without the children that match `drop`; this object if none matches.
  Content without(Predicate<Element> drop);

  /// A copy without those children of this name that match `drop`; this object if none does.
  default Content without(QName name, Predicate<Element> drop) {
    return without(child -> child.name().equals(name) && drop.test(child));
  }

  /// Writes the stanza with these addresses for a stream whose default namespace is
  /// `jabber:client`.
  void write(@Nullable Jid from, @Nullable Jid to, ByteSink sink);

  /// The approximate number of bytes that [#write] writes, without the addresses.
  int writtenSize();

  /// The whole stanza with these addresses.
  Element toElement(@Nullable Jid from, @Nullable Jid to);

  /// The index of the first child with this name, or -1.
  default int find(QName name) {
    for (int i = 0; i < size(); i++) {
      if (name(i).equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /// The first child with this name, or null.
  default @Nullable Element payload(QName name) {
    int child = find(name);
    return child < 0 ? null : payload(child);
  }

  /// The names of all children.
  default List<QName> names() {
    QName[] names = new QName[size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = name(i);
    }
    return List.of(names);
  }

  /// All children.
  default List<Element> payloads() {
    Element[] payloads = new Element[size()];
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = payload(i);
    }
    return List.of(payloads);
  }
}
