package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.link.SessionGate;

/// Moves a client's stream to another process once it has a bound resource. Called on the stream's
/// thread.
public interface StreamMove {
  /// The gate by which the stream opens the link to its session.
  SessionGate gate(SessionGate direct);

  /// A resource is bound at that virtual host. What is written from now on still goes out before
  /// the stanzas of the session.
  void bound(Jid domain);
}
