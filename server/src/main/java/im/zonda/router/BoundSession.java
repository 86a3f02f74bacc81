package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.stanza.Stanza;
import java.util.function.Consumer;

/// A session as the stream that it has at the moment sees it.
///
/// Called on the stream's thread only. When the session has got another stream, by resumption
/// (XEP-0198) or because its resource was taken, the calls of the old one do nothing.
public interface BoundSession {
  /// The full address.
  Jid jid();

  /// Connects the session with the stream: runs `answer`, which tells the client; what was sent to
  /// the session meanwhile follows. To be called once, before all else.
  void attach(Runnable answer);

  /// Makes the stream a managed one (XEP-0198, section 3). What is sent once `answer` has run is
  /// counted, and so is what the client sends from now on. False, and no answer, if it is one
  /// already.
  boolean manage(boolean resumable, Consumer<Managed> answer);

  /// The client has been bound for a while and may have been silent: it gets what it was spared so
  /// far, because it might have enabled stream management first.
  void begun();

  /// Takes a stanza from the client. Its `from` is null or the client's own address.
  void received(Stanza stanza);

  /// Takes notice of a stanza that the stream itself has dealt with.
  void dealtWith();

  /// Sends a stanza of the stream's own.
  void send(Stanza stanza);

  /// The client asks how many of its stanzas have been handled. True if the answer can be given at
  /// once; else [Outbound#allHandled] tells when.
  boolean requested();

  /// Whether the client waits for such an answer.
  boolean owes();

  /// How many of the client's stanzas have been handled.
  long handled();

  /// The client has handled `h` stanzas, counted modulo 2 to the power of 32. False if that is more
  /// than were sent.
  boolean acknowledged(long h);

  /// Stanzas that the client has not acknowledged.
  int unacknowledged();

  /// Stanzas that were sent since the stream is managed.
  long sent();

  /// Says whether someone looks at the client (XEP-0352).
  void active(boolean active);

  /// The stream is gone, and not by the client's will: a resumable session goes on without. The
  /// last call, or [#ended] is.
  void lost();

  /// The stream has ended, and the session with it.
  void ended();
}
