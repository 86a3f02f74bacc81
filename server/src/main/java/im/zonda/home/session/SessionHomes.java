package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.ToSession;
import im.zonda.stanza.Stanza;

/// The homes of accounts, as links and sessions use them. Every call returns at once; what it asks
/// for is done in the mailbox of the home.
public interface SessionHomes {
  /// Binds a resource (RFC 6120, section 7).
  void bind(HomeLink link, ToSession.Bind bind);

  /// Resumes a session (XEP-0198, section 5).
  void resume(HomeLink link, ToSession.Resume resume);

  /// Recovers a session, unless its home has it, and resumes it. Its state must have been proved by
  /// an edge, or come from a node of the cluster. If the client has resumed the session on another
  /// stream since, this stream is closed.
  void recover(HomeLink link, LostSession lost);

  /// Handles a stanza from a client. The stream has rejected a `from` that is not the client's own.
  void received(HomeLink link, Jid account, ToSession.Received received);

  /// Handles any other value.
  void submit(HomeLink link, Jid account, ToSession value);

  /// Ends a session that has no room for what is sent to it. Its entries of the log wait there.
  void noRoom(LocalSession session);

  /// Ends a session, and its stream if it has one, after a defect ([SessionPhase#canFollow]). Its
  /// entries of the log wait there.
  void phaseIllegal(LocalSession session);

  /// Answers the sender of a stanza that a session has not accepted because it has ended or must
  /// end.
  void notTaken(Stanza stanza);

  /// Sends the state of a session to the stream that keeps it, later.
  void sendState(LocalSession session);

  /// A session has changed that other nodes replicate.
  void changed(LocalSession session);

  /// Ends a session if it still has no stream.
  void endDetached(LocalSession session);
}
