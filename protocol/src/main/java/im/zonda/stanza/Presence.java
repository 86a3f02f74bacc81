package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.ByteSink;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Presence (RFC 6121, sections 3 and 4).
public final class Presence implements Stanza {
  /// The values of the attribute `type`.
  public enum Type {
    AVAILABLE,
    UNAVAILABLE,
    SUBSCRIBE,
    SUBSCRIBED,
    UNSUBSCRIBE,
    UNSUBSCRIBED,
    PROBE,
    ERROR
  }

  private final Type type;

  private Presence(Type type) {
    this.type = type;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// Presence built here.
  public static Presence of(
      Type type,
      @Nullable Jid from,
      @Nullable Jid to,
      @Nullable String id,
      List<Element> payloads) {
    return new Presence(type);
  }

  /// The error reply to `presence`, addresses exchanged.
  public static Presence error(Presence presence, StanzaError error) {
    return new Presence(Type.ERROR);
  }

  /// The priority, -128 to 127; 0 if there is none (RFC 6121, section 4.7.2.3).
  ///
  /// Checked when the stanza is read: a value out of range is a bad request.
  public int priority() {
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
  public Presence withAddresses(@Nullable Jid from, @Nullable Jid to) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Presence withLang(@Nullable String lang) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Presence withPayload(Element payload) {
    throw new IllegalStateException("in progress");
  }

  @Override
  public Presence withoutPayloads(Predicate<Element> drop) {
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
