package im.zonda.edge;

import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.stanza.Stanza;
import im.zonda.stream.StreamOpening;
import im.zonda.xml.Element;
import im.zonda.xml.XmlLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Value that a core sends to an edge. An edge ignores kinds that its version does not know: only
/// what may be lost can have a new kind.
public sealed interface ToEdge {
  /// The core is there and sends nothing else.
  record Alive() implements ToEdge {}

  /// The core stops: it has detached all sessions and closes the connection.
  record Stopping() implements ToEdge {}

  /// Whether the core is leaving: streams with a session that can be resumed should move to another
  /// core, if there is one, and new streams should not use this core. Other streams may stay.
  record Leaving(boolean leaving) implements ToEdge {}

  /// No client may connect from these networks, and clients there are disconnected. Takes the place
  /// of what was sent before; a core that has sent none has none.
  record Banned(List<String> networks) implements ToEdge {
    /// Copies the list.
    public Banned {
      networks = List.copyOf(networks);
    }
  }

  /// Send this stream header to the client.
  record Header(long stream, StreamOpening opening) implements ToEdge {}

  /// Send this first-level element to the client.
  record Write(long stream, Element element) implements ToEdge {}

  /// Send this stanza, which is the stream's own, to the client.
  record WriteStanza(long stream, Stanza stanza) implements ToEdge {}

  /// Begin TLS as the server, and expect a new header.
  record StartTls(long stream) implements ToEdge {}

  /// Expect a new stream header.
  record Restart(long stream) implements ToEdge {}

  /// The client has authenticated: from now on these limits apply to its elements.
  record Authenticated(long stream, XmlLimits limits) implements ToEdge {}

  /// The header or element has been handled: the next one may come.
  record Continue(long stream) implements ToEdge {}

  /// Send the closing tag and close the client's connection.
  record Finish(long stream) implements ToEdge {}

  /// The client has its session: the stream continues at the edge. The answer to the client may
  /// follow, and [Continue] does: until then the stream stays at this core.
  ///
  /// @param domain the virtual host
  /// @param ticket proves to the core, also after a restart, that this edge has the stream
  /// @param id by which the session can be resumed; null if it cannot
  /// @param answer the [ToStream.Bound] or [ToStream.Resumed] that the session has sent
  record TakeOver(long stream, Jid domain, String ticket, @Nullable String id, ToStream answer)
      implements ToEdge {}

  /// The state from which a core recovers the session after a kill ([ToCore.Recover]). Sent when
  /// the state changes, and now and then because proofs expire.
  ///
  /// @param state the session's state; null if it is the same as before
  /// @param proof that this core has sent the state to this edge, and when
  record State(long stream, @Nullable String state, String proof) implements ToEdge {}

  /// Opens the window by the bytes of the stream's values ([ToCore.Value]) that have been taken.
  /// Not sent while the session is paused, so that a stream sends no more than its window
  /// ([EdgeWindow]).
  record WindowUpdate(long stream, long bytes) implements ToEdge {}

  /// A value of the link, for a stream that has moved to the edge.
  record Value(long stream, ToStream value) implements ToEdge {}
}
