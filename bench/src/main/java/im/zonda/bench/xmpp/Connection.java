package im.zonda.bench.xmpp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connecting of one client, maybe more than once.
final class Connection {
  private static final int CONNECT_MILLIS = 30_000;

  /// A source address has some 28,000 ports to the same address (net.ipv4.ip_local_port_range).
  static final int CLIENTS_PER_SOURCE = 20_000;

  private final ClientLoops loops;
  private final ClientLoop loop;
  private final Endpoint endpoint;
  private final int client;

  Connection(ClientLoops loops, ClientLoop loop, Endpoint endpoint, int client) {
    this.loops = loops;
    this.loop = loop;
    this.endpoint = endpoint;
    this.client = client;
  }

  /// Opens the wire of the endpoint's transport; the events tell how that went.
  void open(Wire.Events events) {
    switch (endpoint.transport()) {
      case TCP ->
          connect(
              channel -> channel.pipeline().addLast(new TcpWire(channel, this, events)), events);
      case WEBSOCKET -> connect(channel -> WebSocketWire.add(channel, this, events), events);
      case BOSH -> new BoshWire(this, events).open();
    }
  }

  /// Opens a socket, with TLS if the endpoint has it from the first byte on.
  void connect(Consumer<SocketChannel> prepare, Wire.Events events) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop.netty())
            .channel(loops.channels())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (endpoint.security() == Endpoint.Security.TLS) {
                      secure(channel);
                    }
                    prepare.accept(channel);
                  }
                });
    var _ =
        bootstrap
            .connect(endpoint.address(), source(endpoint.address(), client))
            .addListener(connected -> {
              if (!connected.isSuccess()) {
                events.failed(connected.cause());
              }
            });
  }

  /// Puts TLS below all that the channel has.
  void secure(Channel channel) {
    channel.pipeline().addFirst(loops.tls().newHandler(channel.alloc()));
  }

  /// Resets a connection, unless it has ended. Any thread may call.
  static void reset(Channel channel) {
    try {
      boolean _ = channel.config().setOption(ChannelOption.SO_LINGER, 0);
    } catch (ChannelException e) {
      // It ends just now.
    }
    var _ = channel.close();
  }

  ClientLoop loop() {
    return loop;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /// The source address of a client on this machine: 127.0.1.k after the first 20,000; null if the
  /// system chooses.
  static @Nullable SocketAddress source(InetSocketAddress target, int client) {
    int source = client / CLIENTS_PER_SOURCE;
    if (source == 0 || target.getAddress() == null || !target.getAddress().isLoopbackAddress()) {
      return null;
    }
    try {
      byte[] address = {127, 0, 1, (byte) source};
      return new InetSocketAddress(InetAddress.getByAddress(address), 0);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
