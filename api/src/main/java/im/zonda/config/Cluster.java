package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cluster that this server is a node of.
public record Cluster(
    @Setting(
            "in development, see docs/operating-a-cluster.md: name of the cluster that this server"
                + " joins, the same at all nodes; without it there is no cluster")
        @Nullable String name,
    @Setting("name of this node, another one at each node") @Nullable String node,
    @Setting(
            value =
                "address and port that the other nodes connect to; anything but a loopback"
                    + " address needs `cluster.tls`",
            form = Form.ADDRESS)
        @Nullable String bind,
    @Setting(
            value =
                "address and port by which the other nodes reach `cluster.bind`, if it is not the"
                    + " same, for example behind NAT",
            form = Form.ADDRESS)
        @Nullable String advertise,
    @Setting(
            value =
                "addresses and ports of nodes that are asked for the others; may name this node; a"
                    + " name stands for all its addresses in the DNS; without it the nodes find each"
                    + " other by the database",
            form = Form.ADDRESS)
        List<String> peers,
    @Setting(
            "whether another node has a copy of each session whose client is connected to the node"
                + " of its home, so that it can be resumed if that node dies; acknowledgements to"
                + " the client (XEP-0198) wait for the copy")
        boolean mirrorSessions,
    @Setting("certificates by which the nodes know each other; all three files or none") Tls tls) {
  /// No cluster.
  public static final Cluster DEFAULTS =
      new Cluster(null, null, null, null, List.of(), true, new Tls(null, null, null));

  /// The certificates of a node.
  public record Tls(
      @Setting("PEM file with the certificate chain of this node") @Nullable Path certificate,
      @Setting("PEM file with the private key") @Nullable Path key,
      @Setting(
              "PEM file with the certificate authorities of the nodes, and of nobody else: who has"
                  + " their certificate may join")
          @Nullable Path trust) {}

  /// Copies the list.
  public Cluster {
    peers = List.copyOf(peers);
  }
}
