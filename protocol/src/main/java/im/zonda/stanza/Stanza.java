package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.framing.Frame;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A message, presence or IQ (RFC 6120, section 8). Immutable; `with…` makes a changed copy.
///
/// A received stanza is kept as bytes; payloads are parsed when they are accessed.
public sealed interface Stanza permits Message, Presence, Iq {
  /// Reads a stanza from its frame, with no check of how much it grows when it is written again
  /// ([#received]). A stanza of a stream with another content namespace, `jabber:server` or
  /// `jabber:component:accept`, is read as if it were in `jabber:client`.
  ///
  /// @throws StanzaFormatException if an address or the type is not valid
  static Stanza of(Frame frame) throws StanzaFormatException {
    return StanzaReader.read(frame);
  }

  /// Reads a stanza that a peer has just sent: as [#of(Frame)] does, but rejects one that cannot be
  /// passed on. When it is written again, it may take at most twice the bytes that came in and
  /// 1,024 more, and must keep within the limits under which it was framed. Otherwise a peer could
  /// make others store and receive a multiple of what it has sent, or make another server that
  /// receives the stanza close its stream to this server.
  ///
  /// @throws StanzaFormatException if an address or the type is not valid; with `not-acceptable` if
  ///   the stanza cannot be passed on
  static Stanza received(Frame frame) throws StanzaFormatException {
    return StanzaReader.received(frame);
  }

  /// Reads a stanza from a tree in the namespace `jabber:client`.
  ///
  /// @throws StanzaFormatException if it is not a valid stanza
  static Stanza of(Element element) throws StanzaFormatException {
    return StanzaReader.read(element);
  }

  /// Reads a stanza that this server has written before, to a store, a file or another process. It
  /// accepts what [#of(Frame)] accepts, and also what that rejects by now or always: addresses that
  /// were valid when they were stored ([Jid#stored]), and the server's own errors for stanzas that
  /// it could not read ([StanzaFormatException#reply]).
  ///
  /// @throws StanzaFormatException if it is none of these
  static Stanza reread(Frame frame) throws StanzaFormatException {
    return StanzaReader.reread(frame);
  }

  /// The sender, or null.
  @Nullable Jid from();

  /// The addressee, or null.
  @Nullable Jid to();

  /// The identifier, or null.
  @Nullable String id();

  /// The value of `xml:lang` on the stanza itself, or null.
  @Nullable String lang();

  /// Whether the type is `error`.
  boolean isError();

  /// The names of the child elements, in document order.
  List<QName> payloadNames();

  /// Whether there is a child element with this name.
  default boolean has(QName payload) {
    return payloadNames().contains(payload);
  }

  /// The first child element with this name, or null.
  @Nullable Element payload(QName name);

  /// All child elements, in order.
  List<Element> payloads();

  /// A copy with these addresses.
  Stanza withAddresses(@Nullable Jid from, @Nullable Jid to);

  /// A copy with this language.
  Stanza withLang(@Nullable String lang);

  /// A copy with one more child element at the end.
  Stanza withPayload(Element payload);

  /// A copy without the child elements that match `drop`; this object if none matches.
  Stanza withoutPayloads(Predicate<Element> drop);

  /// Writes the stanza for a stream with any content namespace: the elements in the content
  /// namespace inherit it from the stream header.
  void writeTo(ByteSink sink);

  /// The approximate number of bytes that [#writeTo] writes. It writes more only if an address has
  /// characters to escape.
  int writtenSize();

  /// The whole stanza as a tree.
  Element toElement();
}
