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
  /// The values of the attribute `type`.
  public enum Type {
    NORMAL,
    CHAT,
    GROUPCHAT,
    HEADLINE,
    ERROR
  }

  private final Type type;

  private Message(Type type) {
    this.type = type;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// A message built here.
  public static Message of(
      Type type,
      @Nullable Jid from,
      @Nullable Jid to,
      @Nullable String id,
      List<Element> payloads) {
    return new Message(type);
  }

  /// The error reply to `message`, addresses exchanged; it carries no copy of the payload.
  public static Message error(Message message, StanzaError error) {
    return new Message(Type.ERROR);
  }

  /// Whether it has a `<body/>`.
  public boolean hasBody() {
    return has(new QName(Namespaces.CLIENT, "body"));
  }

  @Override
  public @Nullable Jid from() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public @Nullable Jid to() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public @Nullable String id() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public @Nullable String lang() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public boolean isError() {
    return type == Type.ERROR;
  }

  @Override
  public List<QName> payloadNames() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public @Nullable Element payload(QName name) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public List<Element> payloads() {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Message withAddresses(@Nullable Jid from, @Nullable Jid to) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Message withLang(@Nullable String lang) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Message withPayload(Element payload) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Message withoutPayloads(Predicate<Element> drop) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public void writeTo(ByteSink sink) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Element toElement() {
    throw new IllegalStateException("in progress");
  }
}
