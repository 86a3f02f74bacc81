package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way from streams into the server: binds resources and resumes sessions.
public interface SessionGate {
  /// Binds a resource of an authenticated account (RFC 6120, section 7). Returns at once.
  ///
  /// @param resource the resource that the client asks for, or null to have one made
  /// @param outbound the way back to the client
  void bind(Jid account, @Nullable String resource, Outbound outbound, Binding binding);

  /// Resumes a session of an authenticated account (XEP-0198, section 5). Returns at once; `then`
  /// is told once, by any thread.
  ///
  /// @param id by what the client calls the session
  /// @param h the client's count of stanzas
  /// @param outbound the way back to the client
  void resume(Jid account, String id, long h, Outbound outbound, Consumer<Resumed> then);

  /// Told how a bind ended, once, by any thread.
  interface Binding {
    /// The resource is bound; runs at the home, before anything can leave to the client. May block.
    default void atHome(Home home, Session session) {}

    /// The resource is bound. What is sent to the session waits until the stream attaches it.
    void bound(BoundSession session);

    /// The resource is not bound.
    void refused(ErrorCondition condition);
  }
}
