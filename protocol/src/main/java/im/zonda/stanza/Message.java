package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A message (RFC 6121, section 5).
public final class Message implements Stanza {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  /// The values of the attribute `type`.
  public enum Type {
    NORMAL,
    CHAT,
    GROUPCHAT,
    HEADLINE,
    ERROR;

    // A missing or unknown type is "normal" (RFC 6121, section 5.2.2).
    static Type of(@Nullable String value) {
      return switch (value) {
        case "chat" -> CHAT;
        case "groupchat" -> GROUPCHAT;
        case "headline" -> HEADLINE;
        case "error" -> ERROR;
        case null, default -> NORMAL;
      };
    }

    @Nullable String value() {
      return switch (this) {
        case NORMAL -> null;
        case CHAT -> "chat";
        case GROUPCHAT -> "groupchat";
        case HEADLINE -> "headline";
        case ERROR -> "error";
      };
    }
  }

  private final Type type;
  private final @Nullable Jid from;
  private final @Nullable Jid to;
  private final Content content;

  Message(Type type, @Nullable Jid from, @Nullable Jid to, Content content) {
    this.type = type;
    this.from = from;
    this.to = to;
    this.content = content;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// Creates a message.
  public static Message of(
      Type type,
      @Nullable Jid from,
      @Nullable Jid to,
      @Nullable String id,
      List<Element> payloads) {
    return new Message(type, from, to, TreeContent.built("message", type.value(), id, payloads));
  }

  /// The error reply to `message`, addresses exchanged; it carries no copy of the payload.
  public static Message error(Message message, StanzaError error) {
    return of(Type.ERROR, message.to, message.from, message.id(), List.of(error.toElement()));
  }

  /// Whether it has a `<body/>`.
  public boolean hasBody() {
    return has(BODY);
  }

  /// The text of its first `<body/>`, or null.
  public @Nullable String body() {
    Element body = payload(BODY);
    return body == null ? null : body.text();
  }

  /// An equal stanza in little memory, for a message that is kept and sent often: received bytes
  /// stay as they are, a tree is replaced by its serialised form.
  public Message packed() {
    return content instanceof RawContent
        ? this
        : new Message(type, from, to, PackedContent.of("message", content));
  }

  @Override
  public @Nullable Jid from() {
    return from;
  }

  @Override
  public @Nullable Jid to() {
    return to;
  }

  @Override
  public @Nullable String id() {
    return content.id();
  }

  @Override
  public @Nullable String lang() {
    return content.lang();
  }

  @Override
  public boolean isError() {
    return type == Type.ERROR;
  }

  @Override
  public List<QName> payloadNames() {
    return content.names();
  }

  @Override
  public boolean has(QName payload) {
    return content.find(payload) >= 0;
  }

  @Override
  public @Nullable Element payload(QName name) {
    return content.payload(name);
  }

  @Override
  public List<Element> payloads() {
    return content.payloads();
  }

  @Override
  public Message withAddresses(@Nullable Jid newFrom, @Nullable Jid newTo) {
    return new Message(type, newFrom, newTo, content);
  }

  /// A copy with this identifier.
  public Message withId(String id) {
    return new Message(type, from, to, content.withId(id));
  }

  @Override
  public Message withLang(@Nullable String lang) {
    return new Message(type, from, to, content.withLang(lang));
  }

  @Override
  public Message withPayload(Element payload) {
    return new Message(type, from, to, content.with(payload));
  }

  /// A copy with one more payload at the end, for payloads that are added to every message.
  /// `payload` is one serialised element `name` that declares its own namespace. Creating and
  /// writing a tree takes several times as long.
  public Message withPayload(QName name, byte[] payload) {
    return new Message(type, from, to, content.with(name, payload));
  }

  @Override
  public Message withoutPayloads(Predicate<Element> drop) {
    Content rest = content.without(drop);
    return rest == content ? this : new Message(type, from, to, rest);
  }

  /// A copy without those child elements of this name that match `drop`; this object if none does.
  /// Other children are not parsed.
  public Message withoutPayloads(QName name, Predicate<Element> drop) {
    Content rest = content.without(name, drop);
    return rest == content ? this : new Message(type, from, to, rest);
  }

  @Override
  public void writeTo(ByteSink sink) {
    content.write(from, to, sink);
  }

  @Override
  public int writtenSize() {
    return StanzaTag.size(from, to) + content.writtenSize();
  }

  @Override
  public Element toElement() {
    return content.toElement(from, to);
  }

  /// The stanza as XML text. It contains the private content, so it must never be logged.
  @Override
  public String toString() {
    return toElement().toString();
  }
}
