package im.zonda.stanza;

import org.jspecify.annotations.Nullable;

/// Thrown for a stanza whose start tag is invalid. The sender gets the condition as an error.
public final class StanzaFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;
  private final @Nullable String stanzaName;
  private final @Nullable String id;
  private final boolean answerable;

  /// Creates an exception for a stanza `stanzaName` with this `id`. `answerable` is false for
  /// errors and results, which must not be answered.
  public StanzaFormatException(
      ErrorCondition condition,
      String message,
      @Nullable String stanzaName,
      @Nullable String id,
      boolean answerable) {
    super(message, null, false, false);
    this.condition = condition;
    this.stanzaName = stanzaName;
    this.id = id;
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

  /// Whether an error may be sent back.
  public boolean answerable() {
    return answerable;
  }
}
