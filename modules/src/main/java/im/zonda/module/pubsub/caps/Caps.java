package im.zonda.module.pubsub.caps;

import im.zonda.module.disco.CapabilityHash;
import im.zonda.module.disco.VerificationString;
import im.zonda.session.CapabilityCache;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The capabilities in a client's presence (XEP-0115, section 4; XEP-0390, section 5.4).
///
/// @param node identifies the software
/// @param version the hash; in the form of before 2008, the version of the software
/// @param algorithm the name of the hash function, after [#SECOND] for XEP-0390; empty in the form
///   of before 2008
public record Caps(String node, String version, String algorithm) {
  private static final QName C = new QName("http://jabber.org/protocol/caps", "c");

  /// Longer ones are ignored, in characters.
  private static final int MAX_LENGTH = 512;

  /// Begins the names of the hash functions of XEP-0390.
  static final String SECOND = "2:";

  private static final QName C2 = new QName(CapabilityHash.NAMESPACE, "c");
  private static final String HASHES = "urn:xmpp:hashes:2";

  /// The capabilities in presence, or null. Those of XEP-0390 are preferred.
  public static @Nullable Caps of(Presence presence) {
    Element set = presence.payload(C2);
    for (Element hash : set == null ? List.<Element>of() : set.children()) {
      String algorithm = hash.attribute("algo");
      String value = hash.text().strip();
      if (hash.is(HASHES, "hash")
          && algorithm != null
          && CapabilityHash.isKnown(algorithm)
          && !value.isEmpty()
          && value.length() <= MAX_LENGTH) {
        return new Caps(CapabilityHash.NAMESPACE, value, SECOND + algorithm);
      }
    }
    return first(presence);
  }

  private static @Nullable Caps first(Presence presence) {
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
    return new Caps(node, version, algorithm == null || !isName(algorithm) ? "" : algorithm);
  }

  /// Whether that may be the name of a hash function of XEP-0115.
  private static boolean isName(String algorithm) {
    return algorithm.length() <= MAX_LENGTH && !algorithm.startsWith(SECOND);
  }

  /// The hash of the features.
  CapabilityCache.Key key() {
    return new CapabilityCache.Key(algorithm, version);
  }

  private boolean isSecond() {
    return algorithm.startsWith(SECOND);
  }

  /// Whether an answer has the hash.
  boolean verify(Element info) {
    return isSecond()
        ? CapabilityHash.verify(info, algorithm.substring(SECOND.length()), version)
        : VerificationString.verify(info, algorithm, version);
  }

  /// The discovery node that has the features.
  String discoveryNode() {
    return isSecond()
        ? CapabilityHash.node(algorithm.substring(SECOND.length()), version)
        : node + "#" + version;
  }
}
