package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// An IQ get or set that a module answers.
///
/// A request to the host's own domain ([Addressee#SERVER]) can come from another server. No account
/// stands behind it then: [#hasHome] is false and `session` is null. A handler that needs the
/// sender's account rejects such a request; any other answers it as for any stranger.
///
/// @param iq the IQ, with its true `from`
/// @param payload its payload
/// @param homeOrNull where the handler runs: the addressed account's home, or for
///   [Addressee#SERVER] the sender's; null if the sender has none on this server
/// @param session the session that sent it if it is one of that home's, otherwise null
public record IqRequest(
    Iq iq, Element payload, @Nullable Home homeOrNull, @Nullable Session session) {
  /// Whether there is a home. Always true for requests to accounts.
  public boolean hasHome() {
    return homeOrNull != null;
  }

  /// The home where the handler runs.
  ///
  /// @throws IllegalStateException if there is none
  public Home home() {
    if (homeOrNull == null) {
      throw new IllegalStateException("the sender has no account here: " + iq.from());
    }
    return homeOrNull;
  }
}
