package im.zonda.module;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Does something for a session that is being bound (XEP-0386), so that the client needs no further
/// request for it.
@FunctionalInterface
public interface BindHandler {
  /// The session has been bound; the client does not know yet, and nothing sent to the session has
  /// left. May block. Runs at the home.
  ///
  /// @param request what the client has put into its bind request
  /// @return what the client is answered within `<bound/>`, or null for nothing
  @Nullable Element bound(Home home, Session session, Element request);
}
