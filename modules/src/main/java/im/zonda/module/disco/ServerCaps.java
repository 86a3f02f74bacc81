package im.zonda.module.disco;

import im.zonda.module.HostInfo;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// The server's entity capabilities (XEP-0115). The verification string is computed again only
/// after what the host declares has changed.
final class ServerCaps {
  static final String NAMESPACE = "http://jabber.org/protocol/caps";

  private static final String SOFTWARE = "https://zonda.im";

  private record Known(Element info, String version) {}

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
        .attribute("ver", version())
        .build();
  }

  /// The discovery node that stands for these capabilities.
  String node() {
    return SOFTWARE + "#" + version();
  }

  /// What the host declares changes when a module is stopped.
  private String version() {
    Element info = DiscoModule.info(host, null);
    Known last = known;
    if (last == null || !last.info.equals(info)) {
      last = new Known(info, VerificationString.of(info));
      known = last;
    }
    return last.version;
  }
}
