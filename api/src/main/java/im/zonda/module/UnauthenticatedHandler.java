package im.zonda.module;

import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.net.InetAddress;

/// Answers an IQ of a stream that has not authenticated. May block.
@FunctionalInterface
public interface UnauthenticatedHandler {
  /// Answers the request; `address` is the client's.
  IqReply handle(Iq iq, Element payload, InetAddress address);
}
