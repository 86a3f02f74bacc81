package im.zonda.module;

import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;

/// Answers one kind of IQ request of clients that have not authenticated. May block.
@FunctionalInterface
public interface UnauthenticatedHandler {
  /// Answers the request.
  ///
  /// @param address the client's address
  IqReply handle(Iq iq, Element payload, InetAddress address);
}
