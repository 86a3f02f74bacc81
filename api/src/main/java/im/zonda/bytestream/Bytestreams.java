package im.zonda.bytestream;

import im.zonda.jid.Jid;
import java.util.function.Consumer;

/// The SOCKS5 bytestreams proxies of the server (XEP-0065): one, or one at each node of a cluster.
/// Any thread may call.
public interface Bytestreams {
  /// The outcome of an activation.
  enum Activation {
    /// The stream runs, or has been running already.
    ACTIVE,
    /// Nobody is connected for that address.
    NOT_CONNECTED,
    /// Only one of the two parties is connected.
    ONE_PARTY,
    /// The account has as many streams as it may have at a node.
    TOO_MANY
  }

  /// Starts to forward bytes between the two connections that wait for an address, at whatever node
  /// both are. Does not block.
  ///
  /// @param address the SHA-1 hash that both have named as DST.ADDR, 40 lower-case hexadecimal
  ///   digits
  /// @param requester the account to which the stream counts
  /// @param done called once, on any thread; must not block
  void activate(String address, Jid requester, Consumer<Activation> done);

  /// The port of the first listener of this node; 0 if there is none.
  int port();
}
