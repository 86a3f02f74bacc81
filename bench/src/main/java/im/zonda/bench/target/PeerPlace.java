package im.zonda.bench.target;

import im.zonda.bench.process.Certificates;
import im.zonda.bench.process.TemporaryFolder;
import im.zonda.bench.xmpp.Endpoint;
import java.net.InetSocketAddress;

/// Where a server of another project runs.
///
/// @param folder for its settings and its data
/// @param domain the virtual host
/// @param tcp where clients connect
/// @param http where browsers connect, and files go
/// @param security the encryption at `tcp`
/// @param certificates for that encryption
record PeerPlace(
    TemporaryFolder folder,
    String domain,
    InetSocketAddress tcp,
    InetSocketAddress http,
    Endpoint.Security security,
    Certificates certificates) {
  /// The path of a file in the folder.
  String file(String name) {
    return folder.path().resolve(name).toString();
  }

  /// A port as text.
  static String port(InetSocketAddress address) {
    return Integer.toString(address.getPort());
  }
}
