package im.zonda.stanza;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Thrown for a stanza whose start tag is invalid. The sender gets the condition as an error.
public final class StanzaFormatException extends Exception {
  private static final long serialVersionUID = 1;

  /// The longest address in characters: three parts of 1,023 bytes, `@` and `/`.
  private static final int MAX_ADDRESS = 3_071;

  private final ErrorCondition condition;
  private final @Nullable String stanzaName;
  private final @Nullable String id;
  private final @Nullable String to;
  private final boolean answerable;

  /// Creates an exception for a stanza `stanzaName` with this `id` and this text in `to`.
  /// `answerable` is false for errors and results, which must not be answered.
  public StanzaFormatException(
      ErrorCondition condition,
      String message,
      @Nullable String stanzaName,
      @Nullable String id,
      @Nullable String to,
      boolean answerable) {
    super(message, null, false, false);
    this.condition = condition;
    this.stanzaName = stanzaName;
    this.id = id;
    this.to = to;
    this.answerable = answerable;
  }

  /// The condition for the sender.
  public ErrorCondition condition() {
    return condition;
  }

  /// `message`, `presence` or `iq`, or null for another element.
  public @Nullable String stanzaName() {
    return stanzaName;
  }

  /// The stanza's id, or null.
  public @Nullable String id() {
    return id;
  }

  /// The stanza's `to` as it came in, which may be no address; null if there is none.
  public @Nullable String to() {
    return to;
  }

  /// Whether an error may be sent back.
  public boolean answerable() {
    return answerable;
  }

  /// The error for the sender (RFC 6120, section 8.3.1), without an id if the stanza has none; null
  /// if none may be sent. It comes from what the sender has written to, even if that is no address
  /// ([Stanza#reread]).
  ///
  /// @param answering who answers a stanza without `to`, or with one longer than any address
  /// @param sender the address of the sender, or null
  public @Nullable Stanza reply(Jid answering, @Nullable Jid sender) {
    return error(from(answering), sender);
  }

  /// The error for the sender, from a valid address; null if none may be sent.
  public @Nullable Stanza replyFrom(Jid address, @Nullable Jid sender) {
    return error(address.toString(), sender);
  }

  private @Nullable Stanza error(String from, @Nullable Jid sender) {
    if (!answerable || stanzaName == null) {
      return null;
    }
    Element error =
        Element.builder(Namespaces.CLIENT, stanzaName)
            .attribute("id", id)
            .attribute("type", "error")
            .attribute("from", from)
            .attribute("to", sender == null ? null : sender.toString())
            .child(StanzaError.of(condition).toElement())
            .build();
    return StanzaReader.ownError(error);
  }

  private String from(Jid answering) {
    return to == null || to.isEmpty() || to.length() > MAX_ADDRESS ? answering.toString() : to;
  }
}
