package im.zonda.net;

import im.zonda.jid.Jid;
import im.zonda.net.tls.TlsHandler;
import im.zonda.session.ClientNetwork;
import im.zonda.stream.ByteStream;
import io.netty.channel.Channel;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The input that one connection holds of a stanza and of a TLS record that are not complete.
/// Confined to the event loop.
final class UnfinishedInput {
  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedInput.class);

  private final Loop loop;
  private final Channel channel;
  private final ByteStream input;
  private final InetAddress address;
  private int bytes;

  /// @param address where the connection comes from
  UnfinishedInput(Loop loop, Channel channel, ByteStream input, InetAddress address) {
    this.loop = loop;
    this.channel = channel;
    this.input = input;
    this.address = address;
  }

  /// The bytes, as of the last read.
  int bytes() {
    return bytes;
  }

  /// The account to which they are charged; before there is one, the address.
  Object owner() {
    Jid account = input.stream().account();
    return account == null ? ClientNetwork.of(address) : account;
  }

  /// Updates the count; to be called after each read. May close connections, also this one.
  void update() {
    TlsHandler tls = TlsHandler.of(channel);
    update(input.unfinishedBytes() + (tls == null ? 0 : tls.unfinishedBytes()));
  }

  /// The connection is gone.
  void clear() {
    update(0);
  }

  private void update(int now) {
    int more = now - bytes;
    if (more != 0) {
      bytes = now;
      loop.unfinished(more);
    }
  }

  /// Discards them and ends the stream, because all connections together hold too much.
  void discard() {
    loop.counters().overflows.add(1);
    LOG.atInfo()
        .addKeyValue("address", address.getHostAddress())
        .addKeyValue("bytes", bytes)
        .log("inbound_overflow");
    TlsHandler tls = TlsHandler.of(channel);
    if (input.stream().closed() || (tls != null && !tls.handshakeFuture().isSuccess())) {
      channel.close().addListener(closed -> {});
    } else {
      input.dropUnfinished();
    }
    clear();
  }
}
