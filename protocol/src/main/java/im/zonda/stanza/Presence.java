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
    ERROR;

    // Null for an undefined value.
    static @Nullable Type of(@Nullable String value) {
      return switch (value) {
        case null -> AVAILABLE;
        case "unavailable" -> UNAVAILABLE;
        case "subscribe" -> SUBSCRIBE;
        case "subscribed" -> SUBSCRIBED;
        case "unsubscribe" -> UNSUBSCRIBE;
        case "unsubscribed" -> UNSUBSCRIBED;
        case "probe" -> PROBE;
        case "error" -> ERROR;
        default -> null;
      };
    }

    @Nullable String value() {
      return switch (this) {
        case AVAILABLE -> null;
        case UNAVAILABLE -> "unavailable";
        case SUBSCRIBE -> "subscribe";
        case SUBSCRIBED -> "subscribed";
        case UNSUBSCRIBE -> "unsubscribe";
        case UNSUBSCRIBED -> "unsubscribed";
        case PROBE -> "probe";
        case ERROR -> "error";
      };
    }
  }

  private final Type type;
  private final @Nullable Jid from;
  private final @Nullable Jid to;
  private final Content content;
  private final int priority;

  Presence(Type type, @Nullable Jid from, @Nullable Jid to, Content content, int priority) {
    this.type = type;
    this.from = from;
    this.to = to;
    this.content = content;
    this.priority = priority;
  }

  /// The type.
  public Type type() {
    return type;
  }

  /// Creates a presence.
  ///
  /// @throws IllegalArgumentException if there is a priority outside -128 to 127
  public static Presence of(
      Type type,
      @Nullable Jid from,
      @Nullable Jid to,
      @Nullable String id,
      List<Element> payloads) {
    return with(type, from, to, TreeContent.built("presence", type.value(), id, payloads));
  }

  /// The error reply to `presence`, addresses exchanged.
  public static Presence error(Presence presence, StanzaError error) {
    return of(Type.ERROR, presence.to, presence.from, presence.id(), List.of(error.toElement()));
  }

  /// The priority, -128 to 127; 0 if there is none (RFC 6121, section 4.7.2.3).
  ///
  /// Checked when the stanza is read: a value out of range is rejected with `bad-request`.
  public int priority() {
    return priority;
  }

  /// An equal stanza in as little memory as possible, for presence that is kept and sent often.
  /// Each access to a payload parses it again.
  public Presence packed() {
    return new Presence(type, from, to, PackedContent.of("presence", content), priority);
  }

  private static Presence with(Type type, @Nullable Jid from, @Nullable Jid to, Content content) {
    return new Presence(type, from, to, content, StanzaReader.priority(content));
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
  public Presence withAddresses(@Nullable Jid newFrom, @Nullable Jid newTo) {
    return new Presence(type, newFrom, newTo, content, priority);
  }

  @Override
  public Presence withLang(@Nullable String lang) {
    return new Presence(type, from, to, content.withLang(lang), priority);
  }

  @Override
  public Presence withPayload(Element payload) {
    return with(type, from, to, content.with(payload));
  }

  @Override
  public Presence withoutPayloads(Predicate<Element> drop) {
    Content rest = content.without(drop);
    return rest == content ? this : with(type, from, to, rest);
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
