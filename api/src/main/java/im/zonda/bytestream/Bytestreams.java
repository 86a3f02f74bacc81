package im.zonda.bytestream;

import im.zonda.jid.Jid;

/// The connections of the SOCKS5 bytestreams proxy of this process (XEP-0065). Any thread may call.
public interface Bytestreams {
  /// The outcome of an activation.
  enum Activation {
    /// The stream runs, or has been running already.
    ACTIVE,
    /// Nobody is connected for that address.
    NOT_CONNECTED,
    /// Only one of the two parties is connected.
    ONE_PARTY,
    /// The account has as many streams as it may have.
    TOO_MANY
  }

  /// Starts to forward bytes between the two connections that wait for an address. Does not block.
  ///
  /// @param address the SHA-1 hash that both have named as DST.ADDR, 40 lower-case hexadecimal
  ///   digits
  /// @param requester the account to which the stream counts
  Activation activate(String address, Jid requester);

  /// The port of the first listener; 0 if there is none.
  int port();
}
