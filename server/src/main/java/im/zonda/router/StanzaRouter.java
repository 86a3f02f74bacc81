package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import org.jspecify.annotations.Nullable;

/// Brings every stanza to the home that decides on it.
public final class StanzaRouter {
  /// Told how a bind ended, by any thread.
  public interface BindCallback {
    /// The session is bound and may receive from now on.
    void bound(LocalSession session);

    /// It is not bound.
    void refused(ErrorCondition condition);
  }

  /// Binds a resource of an authenticated account (RFC 6120, section 7). Returns at once.
  ///
  /// @param resource the resource that the client asks for, or null to have one made
  public void bind(
      Jid account, @Nullable String resource, Outbound outbound, BindCallback callback) {
    callback.refused(ErrorCondition.INTERNAL_SERVER_ERROR);
  }

  /// Takes a stanza from a client. Stamps `from`; a `from` that is not the client's own is the
  /// stream's matter and refused there before.
  public void fromClient(LocalSession session, Stanza stanza) {
    session.send(stanza);
  }

  /// The stream of a bound session has ended. Must be called exactly once.
  public void ended(LocalSession session) {
    session.presence(null);
  }
}
