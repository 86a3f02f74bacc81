package im.zonda.journal;

import java.util.Locale;

/// Consequence of a decision for a stanza.
public enum Effect {
  /// Its sender gets an error at once.
  REFUSED,
  /// It is discarded, and its sender is not told.
  DROPPED,
  /// It waits in the log of the receiver.
  STORED,
  /// It is kept until its receiver accepts the sender.
  HELD,
  /// It waits for another server or a component.
  QUEUED,
  /// It has waited, and its sender gets an error.
  BOUNCED,
  /// A push service was asked to notify the client.
  NOTIFIED,
  /// It was delivered as usual, or would be.
  DELIVERED,
  /// It says something about the receiver and nothing about the stanza.
  NONE;

  /// The word for people and programs, such as `refused`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
