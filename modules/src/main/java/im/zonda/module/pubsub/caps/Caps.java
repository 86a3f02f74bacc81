package im.zonda.module.pubsub.caps;

import im.zonda.session.CapabilityCache;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// The capabilities in a client's presence (XEP-0115, section 4).
///
/// @param node identifies the software
/// @param version the hash; in the form of before 2008, the version of the software
/// @param algorithm the name of the hash function; empty in the form of before 2008
public record Caps(String node, String version, String algorithm) {
  private static final QName C = new QName("http://jabber.org/protocol/caps", "c");

  /// Longer ones are ignored, in characters.
  private static final int MAX_LENGTH = 512;

  /// The capabilities in presence, or null.
  public static @Nullable Caps of(Presence presence) {
    Element c = presence.payload(C);
    String node = c == null ? null : c.attribute("node");
    String version = c == null ? null : c.attribute("ver");
    if (c == null
        || node == null
        || version == null
        || node.length() + version.length() > MAX_LENGTH) {
      return null;
    }
    String algorithm = c.attribute("hash");
    return new Caps(
        node, version, algorithm == null || algorithm.length() > MAX_LENGTH ? "" : algorithm);
  }

  /// The hash of the features.
  CapabilityCache.Key key() {
    return new CapabilityCache.Key(algorithm, version);
  }

  /// The discovery node that has the features.
  String discoveryNode() {
    return node + "#" + version;
  }
}
