package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An IQ (RFC 6120, section 8.2.3). A get or set has exactly one payload; checked when read.
public final class Iq implements Stanza {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// The values of the attribute `type`.
  public enum Type {
    GET,
    SET,
    RESULT,
    ERROR;

    // Null for an undefined or missing value.
    static @Nullable Type of(@Nullable String value) {
      return switch (value) {
        case "get" -> GET;
        case "set" -> SET;
        case "result" -> RESULT;
        case "error" -> ERROR;
        case null, default -> null;
      };
    }

    String value() {
      return switch (this) {
        case GET -> "get";
        case SET -> "set";
        case RESULT -> "result";
        case ERROR -> "error";
      };
    }
  }

  private final Type type;
  private final @Nullable Jid from;
  private final @Nullable Jid to;
  private final Content content;

  Iq(Type type, @Nullable Jid from, @Nullable Jid to, Content content) {
    this.type = type;
    this.from = from;
    this.to = to;
    this.content = content;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// Creates an IQ.
  public static Iq of(
      Type type, @Nullable Jid from, @Nullable Jid to, String id, @Nullable Element payload) {
    return new Iq(
        type,
        from,
        to,
        TreeContent.built("iq", type.value(), id, payload == null ? List.of() : List.of(payload)));
  }

  /// The result of `request`, addresses exchanged.
  public static Iq result(Iq request, @Nullable Element payload) {
    return reply(request, Type.RESULT, payload);
  }

  /// The error reply to `request`, addresses exchanged; it carries no copy of the payload.
  public static Iq error(Iq request, StanzaError error) {
    return reply(request, Type.ERROR, error.toElement());
  }

  private static Iq reply(Iq request, Type type, @Nullable Element payload) {
    return of(type, request.to, request.from, request.id(), payload);
  }

  /// The identifier; empty only in an error of this server for an IQ without one.
  @Override
  public String id() {
    String id = content.id();
    return id == null ? "" : id;
  }

  /// Whether it is a get or set, which must be answered.
  public boolean isRequest() {
    return type == Type.GET || type == Type.SET;
  }

  /// The payload, other than `<error/>`; null if there is none.
  public @Nullable Element payload() {
    int place = payloadPlace();
    return place < 0 ? null : content.payload(place);
  }

  /// The name of the payload, or null; does not parse the payload.
  public @Nullable QName payloadName() {
    int place = payloadPlace();
    return place < 0 ? null : content.name(place);
  }

  private int payloadPlace() {
    for (int i = 0; i < content.size(); i++) {
      if (!content.name(i).equals(ERROR)) {
        return i;
      }
    }
    return -1;
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
  public Iq withAddresses(@Nullable Jid newFrom, @Nullable Jid newTo) {
    return new Iq(type, newFrom, newTo, content);
  }

  @Override
  public Iq withLang(@Nullable String lang) {
    return new Iq(type, from, to, content.withLang(lang));
  }

  @Override
  public Iq withPayload(Element payload) {
    return new Iq(type, from, to, content.with(payload));
  }

  @Override
  public Iq withoutPayloads(Predicate<Element> drop) {
    Content rest = content.without(drop);
    return rest == content ? this : new Iq(type, from, to, rest);
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
