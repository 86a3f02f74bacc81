package im.zonda.module.disco;

import im.zonda.module.HostInfo;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// The server's entity capabilities (XEP-0115). What the server can do is fixed once all modules
/// are installed, so it is computed once, when a stream first asks.
final class ServerCaps {
  static final String NAMESPACE = "http://jabber.org/protocol/caps";

  private static final String SOFTWARE = "https://zonda.im";

  private final HostInfo host;
  private volatile @Nullable String version;

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

  private String version() {
    String known = version;
    if (known == null) {
      known = VerificationString.of(DiscoModule.info(host, null));
      version = known;
    }
    return known;
  }
}
