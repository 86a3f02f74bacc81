package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog.SentCopy;
import im.zonda.store.StanzaIdentity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stanza on its way, with what must travel with it. A value: it can be written to bytes and read
/// back on another node.
///
/// A stanza that the server cannot deliver, or that its receiver rejects, is answered with an error
/// to its `from`. That error carries the `author`, so that a room, whose occupant's address was the
/// `from`, knows which session to notify. Errors that clients send carry none.
///
/// What a room sends to an occupant with several sessions is one envelope, so that the account's
/// log has it once ([#withSessions]). Destinations other than accounts of this server get an
/// envelope for each session.
///
/// @param stanza the stanza, with `from` and `to`
/// @param origin what waits until the stanza has been handled
/// @param author the true sender where `from` does not say it, such as the session of an occupant;
///   otherwise null
/// @param sent the sender's own copy of a message for the log, or null; not written to bytes, so
///   the sender's home stores it itself if the receiver's is on another node
/// @param others more sessions of the account of `to` that are to get it, each under its own
///   address: their full JIDs; mostly none
public record Envelope(
    Stanza stanza, Origin origin, @Nullable Jid author, @Nullable SentCopy sent, List<Jid> others) {
  /// Copies the list.
  public Envelope {
    others = List.copyOf(others);
  }

  public Envelope(Stanza stanza, Origin origin, @Nullable Jid author) {
    this(stanza, origin, author, null, List.of());
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
    return other == stanza ? this : new Envelope(other, origin, author, sent, others);
  }

  /// The same with that author.
  public Envelope withAuthor(@Nullable Jid newAuthor) {
    return new Envelope(stanza, origin, newAuthor, sent, others);
  }

  /// The same with that message and its sender's own copy.
  public Envelope withSent(Stanza message, SentCopy copy) {
    return new Envelope(message, origin, author, copy, others);
  }

  /// The full JIDs that it is for, if there are [#others].
  public List<Jid> sessions() {
    List<Jid> all = new ArrayList<>(others.size() + 1);
    Jid to = stanza.to();
    if (to != null) {
      all.add(to);
    }
    all.addAll(others);
    return all;
  }

  /// The same for these sessions of one account, at least one.
  public Envelope withSessions(List<Jid> sessions) {
    Stanza first = stanza.withAddresses(stanza.from(), sessions.getFirst());
    return new Envelope(first, origin, author, sent, sessions.subList(1, sessions.size()));
  }

  /// One envelope for each address; this object if there are no [#others].
  public List<Envelope> each() {
    return others.isEmpty()
        ? List.of(this)
        : sessions().stream().map(session -> withSessions(List.of(session))).toList();
  }

  /// By which the log of the receiver knows the message ([StanzaIdentity]); 0 if it cannot. What
  /// comes from an author under another address has the same identity whichever sessions of the
  /// account get it: when a room sends it again, others may be there.
  ///
  /// @param cause the identity of the stanza that has caused it, or 0
  public long receivedIdentity(long cause) {
    Jid to = stanza.to();
    return author == null || to == null
        ? StanzaIdentity.at(cause, to, stanza)
        : StanzaIdentity.at(StanzaIdentity.at(cause, stanza.from(), stanza), to.bare(), stanza);
  }
}
