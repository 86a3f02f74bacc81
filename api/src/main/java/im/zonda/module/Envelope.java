package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import im.zonda.store.SentCopy;
import org.jspecify.annotations.Nullable;

/// A stanza on its way, with what must travel with it. A value: it can be written to bytes and read
/// back on another node.
///
/// A stanza that the server cannot deliver, or that its receiver rejects, is answered with an error
/// to its `from`. That error carries the `author`, so that a room, whose occupant's address was the
/// `from`, knows which session to notify. Errors that clients send carry none.
///
/// @param stanza the stanza, with `from` and `to`
/// @param origin what waits until the stanza has been handled
/// @param author the true sender where `from` does not say it, such as the session of an occupant;
///   otherwise null
/// @param sent the sender's own copy of a message for the log, or null; not written to bytes, so
///   the sender's home stores it itself if the receiver's is on another node
public record Envelope(
    Stanza stanza, Origin origin, @Nullable Jid author, @Nullable SentCopy sent) {
  public Envelope(Stanza stanza, Origin origin, @Nullable Jid author) {
    this(stanza, origin, author, null);
  }

  /// A stanza that the server itself sends.
  public static Envelope of(Stanza stanza) {
    return new Envelope(stanza, Origin.NONE, null);
  }

  /// A stanza that `author` sends under another address, caused by another stanza: that one has not
  /// been handled until this one has.
  public static Envelope of(Stanza stanza, Jid author, Envelope cause) {
    return new Envelope(stanza, cause.origin, author);
  }

  /// An answer to the sender of this stanza, such as an error: the stanza is handled once the
  /// answer has reached its receiver's home.
  public Envelope answer(Stanza answer) {
    return new Envelope(answer, origin, null);
  }

  /// The same with another stanza; this object if that is its stanza.
  public Envelope withStanza(Stanza other) {
    return other == stanza ? this : new Envelope(other, origin, author, sent);
  }

  /// The same with that author.
  public Envelope withAuthor(@Nullable Jid newAuthor) {
    return new Envelope(stanza, origin, newAuthor, sent);
  }

  /// The same with that message and its sender's own copy.
  public Envelope withSent(Stanza message, SentCopy copy) {
    return new Envelope(message, origin, author, copy);
  }
}
