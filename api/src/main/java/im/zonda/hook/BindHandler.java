package im.zonda.hook;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Handles an inline request of a client that binds a resource (XEP-0386).
@FunctionalInterface
public interface BindHandler {
  /// Handles the request. The session is bound, but the client has not been answered, and stanzas
  /// sent to the session wait. Runs at the home; may block.
  ///
  /// @param request the element in the client's bind request
  /// @return the element for `<bound/>`, or null
  @Nullable Element bound(Home home, Session session, Element request);
}
