package im.zonda.bytestream;

import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.jid.Jid;

/// The SOCKS5 bytestreams proxy of this process (XEP-0065). Any thread may call.
public interface BytestreamProxy {
  /// Starts to forward bytes between the two connections that wait for an address at this process.
  /// Does not block.
  ///
  /// @param address as in [Bytestreams#activate]
  /// @param requester the account to which the stream counts
  Activation activate(String address, Jid requester);

  /// The port of the first listener; 0 if there is none.
  int port();
}
