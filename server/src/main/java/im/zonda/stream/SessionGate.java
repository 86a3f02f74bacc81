package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.router.Outbound;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import org.jspecify.annotations.Nullable;

/// The way from streams into the server: binds resources and takes the stanzas of those bound.
@FunctionalInterface
public interface SessionGate {
  /// Binds a resource of an authenticated account (RFC 6120, section 7). Returns at once.
  ///
  /// @param resource the resource that the client asks for, or null to have one made
  /// @param outbound the way back to the client
  void bind(Jid account, @Nullable String resource, Outbound outbound, Binding binding);

  /// Told how a bind ended, once, by any thread.
  interface Binding {
    /// The resource is bound. What is sent to the session after this call reaches the client after
    /// the answer to its bind request.
    void bound(BoundSession session);

    /// The resource is not bound.
    void refused(ErrorCondition condition);
  }

  /// A bound resource, as its stream sees it. Called on the stream's thread only.
  interface BoundSession {
    /// The full address.
    Jid jid();

    /// A stanza from the client. Its `from` is null or the client's own address.
    void received(Stanza stanza);

    /// The stream has ended. Called exactly once, and the last call.
    void ended();
  }
}
