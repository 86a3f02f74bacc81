package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.jid.JidCache;
import im.zonda.jid.JidFormatException;
import im.zonda.xml.Element;
import im.zonda.xml.Node;
import im.zonda.xml.QName;
import im.zonda.xml.XmlNamespaces;
import im.zonda.xml.framing.Frame;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the start tag of a received stanza and decides whether it can be kept as bytes.
final class StanzaReader {
  private static final QName PRIORITY = new QName(Namespaces.CLIENT, "priority");
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// In place of the position of an attribute: the stanza has no such attribute.
  private static final int ABSENT = -1;

  // Most frequent first: each is compared by its bytes.
  private static final String[] TYPES = {
    "chat",
    "groupchat",
    "result",
    "get",
    "set",
    "unavailable",
    "error",
    "normal",
    "headline",
    "subscribe",
    "subscribed",
    "unsubscribe",
    "unsubscribed",
    "probe"
  };

  // Shared cache: it saves work and cannot change a result.
  private static final JidCache ADDRESSES = new JidCache(16_384);

  private StanzaReader() {}

  /// Reads a stanza from the frame of a peer.
  ///
  /// @throws StanzaFormatException also with `not-acceptable` if it would grow too much
  static Stanza received(Frame frame) throws StanzaFormatException {
    if (!frame.mayGrow()) {
      return read(frame, null);
    }
    Element tree = frame.toElement();
    if (!Rewriting.isAcceptable(tree, frame)) {
      throw grows(frame);
    }
    return read(frame, tree);
  }

  /// Reads a stanza from its frame.
  static Stanza read(Frame frame) throws StanzaFormatException {
    return read(frame, null);
  }

  private static Stanza read(Frame frame, @Nullable Element tree) throws StanzaFormatException {
    checkName(frame.name());
    int from = ABSENT;
    int to = ABSENT;
    int id = ABSENT;
    int type = ABSENT;
    int lang = ABSENT;
    boolean plain = !frame.isPrefixed() && !frame.usesStreamPrefix();
    for (int i = 0; plain && i < frame.attributeCount(); i++) {
      if (frame.attributeIs(i, "to")) {
        to = i;
      } else if (frame.attributeIs(i, "type")) {
        type = i;
      } else if (frame.attributeIs(i, "id")) {
        id = i;
      } else if (frame.attributeIs(i, "from")) {
        from = i;
      } else if (frame.attributeIs(i, "xml:lang")) {
        lang = i;
      } else {
        plain = frame.attributeIs(i, "xmlns");
      }
    }
    if (!plain || frame.usesContentNamespace()) {
      return read(withOneContentNamespace(tree == null ? frame.toElement() : tree));
    }
    Content content = new RawContent(frame, id, type, lang);
    String typeName = type == ABSENT ? null : typeName(frame, type);
    String kind = frame.name().name();
    try {
      return stanza(kind, typeName, address(frame, from), address(frame, to), content);
    } catch (JidFormatException e) {
      String written = to == ABSENT ? null : frame.attributeValue(to);
      throw malformed(kind, typeName, content, written);
    }
  }

  /// Reads a stanza from a tree.
  static Stanza read(Element element) throws StanzaFormatException {
    return read(element, Jid::of);
  }

  private static Stanza read(Element element, Function<String, Jid> addresses)
      throws StanzaFormatException {
    checkName(element.name());
    Content content = new TreeContent(element);
    String typeName = element.attribute("type");
    String from = element.attribute("from");
    String to = element.attribute("to");
    String kind = element.name().name();
    try {
      return stanza(
          kind,
          typeName,
          from == null ? null : addresses.apply(from),
          to == null ? null : addresses.apply(to),
          content);
    } catch (JidFormatException e) {
      throw malformed(kind, typeName, content, to);
    }
  }

  /// Reads what this server has written: any stanza, with addresses as [Jid#stored] reads them, and
  /// its own errors ([#ownError]).
  static Stanza reread(Frame frame) throws StanzaFormatException {
    try {
      return read(frame);
    } catch (StanzaFormatException e) {
      if (e.stanzaName() != null && "error".equals(frame.attribute("type"))) {
        return ownError(frame.toElement());
      }
      if (e.condition() == ErrorCondition.JID_MALFORMED) {
        return read(frame.toElement(), Jid::stored);
      }
      throw e;
    }
  }

  /// An error of this server for a stanza that it could not read. Its `from` may be no address, and
  /// an IQ may have no id.
  static Stanza ownError(Element error) {
    String from = error.attribute("from");
    Jid sender = addressOrNull(from);
    Jid receiver = addressOrNull(error.attribute("to"));
    Content content = new TreeContent(error, sender == null ? from : null);
    return switch (error.name().name()) {
      case "message" -> new Message(Message.Type.ERROR, sender, receiver, content);
      case "presence" -> new Presence(Presence.Type.ERROR, sender, receiver, content, 0);
      default -> new Iq(Iq.Type.ERROR, sender, receiver, content);
    };
  }

  /// An address that this server has written; null if there is none, or it is not valid.
  static @Nullable Jid addressOrNull(@Nullable String text) {
    try {
      return text == null ? null : Jid.stored(text);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// The priority in these children; 0 if there is none.
  ///
  /// @throws NumberFormatException if it is not an integer from -128 to 127
  static int priority(Content content) {
    Element priority = content.payload(PRIORITY);
    return priority == null ? 0 : Byte.parseByte(priority.text().strip());
  }

  private static Stanza stanza(
      String kind, @Nullable String type, @Nullable Jid from, @Nullable Jid to, Content content)
      throws StanzaFormatException {
    return switch (kind) {
      case "message" -> new Message(Message.Type.of(type), from, to, content);
      case "presence" -> presence(type, from, to, content);
      default -> iq(type, from, to, content);
    };
  }

  private static Presence presence(
      @Nullable String typeName, @Nullable Jid from, @Nullable Jid to, Content content)
      throws StanzaFormatException {
    Presence.Type type = Presence.Type.of(typeName);
    if (type == null) {
      throw badRequest("presence", "an unknown type of presence", typeName, content, to);
    }
    try {
      return new Presence(type, from, to, content, priority(content));
    } catch (NumberFormatException e) {
      throw badRequest("presence", "a priority out of range", typeName, content, to);
    }
  }

  private static Iq iq(
      @Nullable String typeName, @Nullable Jid from, @Nullable Jid to, Content content)
      throws StanzaFormatException {
    Iq.Type type = Iq.Type.of(typeName);
    if (type == null) {
      throw badRequest("iq", "an IQ without one of the four types", typeName, content, to);
    }
    if (content.id() == null) {
      throw badRequest("iq", "an IQ without an id", typeName, content, to);
    }
    boolean fits =
        switch (type) {
          case GET, SET -> content.size() == 1 && !content.name(0).equals(ERROR);
          case RESULT -> content.size() <= 1;
          case ERROR -> true;
        };
    if (!fits) {
      throw badRequest("iq", "an IQ with too few or too many payloads", typeName, content, to);
    }
    return new Iq(type, from, to, content);
  }

  private static @Nullable Jid address(Frame frame, int attribute) {
    if (attribute == ABSENT) {
      return null;
    }
    return frame.isPlainValue(attribute)
        ? ADDRESSES.get(frame.bytes(), frame.valueStart(attribute), frame.valueEnd(attribute))
        : Jid.of(frame.attributeValue(attribute));
  }

  private static String typeName(Frame frame, int attribute) {
    for (String type : TYPES) {
      if (frame.valueIs(attribute, type)) {
        return type;
      }
    }
    return frame.attributeValue(attribute);
  }

  /// The tree with `jabber:client` in place of the other content namespaces. Otherwise a client
  /// could hide from its own server what another server or a component reads.
  private static Element withOneContentNamespace(Element element) {
    Element.Builder copy = Element.builder(inOneContentNamespace(element.name()));
    element
        .attributes()
        .forEach((name, value) -> copy.attribute(inOneContentNamespace(name), value));
    for (Node node : element.nodes()) {
      copy.node(node instanceof Element child ? withOneContentNamespace(child) : node);
    }
    return copy.build();
  }

  private static QName inOneContentNamespace(QName name) {
    return XmlNamespaces.isContent(name.namespace())
        ? new QName(Namespaces.CLIENT, name.name())
        : name;
  }

  private static void checkName(QName name) throws StanzaFormatException {
    boolean known =
        switch (name.name()) {
          case "message", "presence", "iq" -> name.namespace().equals(Namespaces.CLIENT);
          default -> false;
        };
    if (!known) {
      throw new StanzaFormatException(
          ErrorCondition.BAD_REQUEST, "not a stanza", null, null, null, false);
    }
  }

  private static StanzaFormatException grows(Frame frame) {
    return new StanzaFormatException(
        ErrorCondition.NOT_ACCEPTABLE,
        "it is too long or too complex when it is written without its prefixes and sections",
        frame.name().name(),
        frame.attribute("id"),
        frame.attribute("to"),
        answerable(frame.attribute("type")));
  }

  private static StanzaFormatException malformed(
      String kind, @Nullable String type, Content content, @Nullable String to) {
    return new StanzaFormatException(
        ErrorCondition.JID_MALFORMED,
        "an address is not valid",
        kind,
        content.id(),
        to,
        answerable(type));
  }

  private static StanzaFormatException badRequest(
      String kind, String message, @Nullable String type, Content content, @Nullable Jid to) {
    return new StanzaFormatException(
        ErrorCondition.BAD_REQUEST,
        message,
        kind,
        content.id(),
        to == null ? null : to.toString(),
        answerable(type));
  }

  // RFC 6120, section 8.3.1: neither an error nor a result is answered with an error.
  private static boolean answerable(@Nullable String type) {
    return !"error".equals(type) && !"result".equals(type);
  }
}
