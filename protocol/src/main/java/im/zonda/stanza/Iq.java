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
  /// The values of the attribute `type`.
  public enum Type {
    GET,
    SET,
    RESULT,
    ERROR
  }

  private final Type type;

  private Iq(Type type) {
    this.type = type;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// An IQ built here.
  public static Iq of(
      Type type, @Nullable Jid from, @Nullable Jid to, String id, @Nullable Element payload) {
    return new Iq(type);
  }

  /// The result of `request`, addresses exchanged.
  public static Iq result(Iq request, @Nullable Element payload) {
    return new Iq(Type.RESULT);
  }

  /// The error reply to `request`, addresses exchanged; it carries no copy of the payload.
  public static Iq error(Iq request, StanzaError error) {
    return new Iq(Type.ERROR);
  }

  /// Whether it is a get or set, which must be answered.
  public boolean isRequest() {
    return type == Type.GET || type == Type.SET;
  }

  /// The one payload, without any `<error/>`; null if there is none.
  public @Nullable Element payload() {
    throw new IllegalStateException("in progress");
  }

  /// The name of the one payload, or null; cheap.
  public @Nullable QName payloadName() {
    throw new IllegalStateException("in progress");
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
  public Iq withAddresses(@Nullable Jid from, @Nullable Jid to) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Iq withLang(@Nullable String lang) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Iq withPayload(Element payload) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Iq withoutPayloads(Predicate<Element> drop) {
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
