package im.zonda.home.lifecycle;

import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionHomes;
import im.zonda.home.session.SessionPhase;
import im.zonda.jid.Jid;
import im.zonda.module.Origin;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The port by which the parts of a session's life use each other. The methods are called at the
/// home of the session, unless they say otherwise.
interface SessionLifecycle extends SessionHomes {
  /// Finds the homes. Any thread may call.
  AccountRegistry registry();

  /// The sessions that have not ended. A copy; any thread may call.
  List<LocalSession> all();

  // ---- phases

  /// A new session of that address begins.
  void replaced(AccountHome home, Jid session);

  /// The session's stream is gone without an end.
  void lost(AccountHome home, LocalSession session);

  /// The session's time without a stream has expired; ignored if it has left that phase since. Any
  /// thread may call.
  void expire(LocalSession session, SessionPhase.Detached detached);

  /// The session ends.
  void end(AccountHome home, LocalSession session);

  // ---- stanzas of the client

  /// How long ago, in ms, a home of the session that died may have handled what its client sends
  /// now; 0 if there is none.
  int age(@Nullable LocalSession session);

  /// Whether handling that stanza of a client at its home may block.
  boolean mayBlock(AccountHome home, Stanza stanza);

  /// Handles a stanza of the client at the client's own home.
  void accept(AccountHome home, LocalSession session, Stanza stanza, Origin origin);

  /// A stanza could not be handled, or not to its end: the client gets an error. Any thread may
  /// call.
  void takeFailed(HomeLink link, Stanza stanza, Throwable cause);

  /// The counts of the session and its stream differ: the stream ends. Any thread may call.
  void countFailed(SessionPhase.Link link);

  /// A stanza and all that it has caused have been handled. Any thread may call.
  void finished(ReceivedStanza stanza);

  /// The same, at the home.
  void handled(ReceivedStanza stanza);

  // ---- stanzas to the client

  /// A message that a session has not acknowledged waits in the log of the account. It is rejected
  /// if it was for a guest, as guests have no log.
  void unacknowledged(AccountHome home, Message message);
}
