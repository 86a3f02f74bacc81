package im.zonda.app.load.session;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// The nodes of a cluster to which clients go when the one that they are connected to is killed.
record OtherNodes(List<InetSocketAddress> addresses) {
  /// Reads host:port,host:port…
  ///
  /// @throws IllegalArgumentException with that message if it is something else
  static OtherNodes parse(String text, String usage) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      int colon = each.lastIndexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(usage);
      }
      int port = Integer.parseInt(each.substring(colon + 1));
      addresses.add(new InetSocketAddress(each.substring(0, colon), port));
    }
    return new OtherNodes(List.copyOf(addresses));
  }

  InetSocketAddress first() {
    return addresses.getFirst();
  }

  /// The one for a client.
  InetSocketAddress of(int client) {
    return addresses.get(client % addresses.size());
  }
}
