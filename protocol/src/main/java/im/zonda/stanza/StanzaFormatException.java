package im.zonda.stanza;

import org.jspecify.annotations.Nullable;

/// A stanza whose head cannot be read. The sender is answered with the condition.
public final class StanzaFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCondition condition;
  private final @Nullable String stanzaName;
  private final @Nullable String id;
  private final boolean answerable;

  /// A stanza called `stanzaName` with that `id` breaks `condition`; `answerable` unless it is an
  /// error or a result itself, which must not be answered.
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

  /// `message`, `presence` or `iq`; null if it is none of them.
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
