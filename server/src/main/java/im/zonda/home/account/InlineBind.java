package im.zonda.home.account;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import java.util.List;

/// What the modules of a host do for a session that is bound within the authentication (XEP-0386).
@FunctionalInterface
public interface InlineBind {
  /// Does what the client has put into its `<bind/>`; returns what it is answered. Called at the
  /// home; may block.
  List<Element> bound(Home home, Session session, Element request);
}
