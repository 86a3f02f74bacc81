package im.zonda.web.account;

import im.zonda.jid.Jid;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;

/// Sends requests to the home of an account as its own clients do.
@FunctionalInterface
public interface HomeRequests {
  /// The answer: a result or an error, also one that says that there was none in time. Blocks.
  ///
  /// @param type get or set
  Iq ask(Jid account, Iq.Type type, Element payload);
}
