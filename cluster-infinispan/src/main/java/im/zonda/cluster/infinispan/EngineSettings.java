package im.zonda.cluster.infinispan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The settings by which the engine of a node finds the other nodes and communicates with them.
///
/// @param cluster the name of the cluster; processes of other clusters are ignored
/// @param bind the address that this node listens on and sends from
/// @param advertised the address by which the others reach `bind`
/// @param peers nodes that are asked for the others, found out each time; may contain this node.
///   Returns within a second or so
/// @param tls proves this node to the others and them to it; null for connections without TLS
/// @param times how soon failures are noticed
public record EngineSettings(
    String cluster,
    InetSocketAddress bind,
    InetSocketAddress advertised,
    Supplier<List<Peer>> peers,
    @Nullable SSLContext tls,
    Times times) {
  /// Nodes that may be asked for the others: one, or all addresses of a name.
  public record Peer(String host, int port) {
    /// Reads `host:port`; an IPv6 address is in brackets.
    public static Peer parse(String text) {
      int colon = text.lastIndexOf(':');
      String host = text.substring(0, colon).replaceAll("[\\[\\]]", "");
      return new Peer(host, Integer.parseInt(text.substring(colon + 1)));
    }

    /// The first address.
    public InetSocketAddress resolve() throws UnknownHostException {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    }
  }

  /// How soon failures are noticed.
  ///
  /// @param silence time without a heartbeat after which a node counts as lost; a closed connection
  ///   is noticed at once
  /// @param verification time for an answer of a node that seems to be lost and whose address does
  ///   not refuse connections; up to twice as long
  /// @param merge about the time between two attempts to find parts of a cluster that was cut
  /// @param join time to wait for answers of other nodes when this one starts; if they come later,
  ///   which a TLS handshake of a busy machine may cause, two clusters have to merge
  public record Times(Duration silence, Duration verification, Duration merge, Duration join) {
    /// For networks of one site.
    public static final Times DEFAULTS =
        new Times(
            Duration.ofSeconds(8),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofMillis(1_500));
  }
}
