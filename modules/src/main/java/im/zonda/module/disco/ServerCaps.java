package im.zonda.module.disco;

import im.zonda.module.HostInfo;
import im.zonda.xml.Element;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The server's entity capabilities (XEP-0115 and XEP-0390). The hashes are computed again only
/// after what the host declares has changed.
final class ServerCaps {
  static final String NAMESPACE = "http://jabber.org/protocol/caps";

  private static final String SOFTWARE = "https://zonda.im";

  private static final String ALGORITHM = "sha-256";
  private static final String HASHES = "urn:xmpp:hashes:2";

  private record Known(Element info, String version, String hash) {}

  private final HostInfo host;
  private volatile @Nullable Known known;

  ServerCaps(HostInfo host) {
    this.host = host;
  }

  /// The stream feature (XEP-0115, section 6.3).
  Element element() {
    return Element.builder(NAMESPACE, "c")
        .attribute("hash", "sha-1")
        .attribute("node", SOFTWARE)
        .attribute("ver", known().version)
        .build();
  }

  /// The stream feature of capabilities 2.0 (XEP-0390, section 5.2).
  Element hashes() {
    return Element.builder(CapabilityHash.NAMESPACE, "c")
        .child(
            Element.builder(HASHES, "hash").attribute("algo", ALGORITHM).text(known().hash).build())
        .build();
  }

  /// Whether a discovery node stands for these capabilities.
  boolean isNode(String node) {
    Known now = known();
    return node.equals(SOFTWARE + "#" + now.version)
        || node.equals(CapabilityHash.node(ALGORITHM, now.hash));
  }

  /// What the host declares changes when a module is stopped.
  private Known known() {
    Element info = DiscoModule.info(host, null);
    Known last = known;
    if (last == null || !last.info.equals(info)) {
      String hash = Objects.requireNonNullElse(CapabilityHash.of(info, ALGORITHM), "");
      last = new Known(info, VerificationString.of(info), hash);
      known = last;
    }
    return last;
  }
}
