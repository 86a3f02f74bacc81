package im.zonda.net.edge;

import im.zonda.edge.EdgeWire;
import im.zonda.net.tls.MutualTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Where a core accepts the connections of its edges. Event loops of its own.
public final class EdgeListener implements AutoCloseable {
  /// Connections at a time, those of strangers included until their handshake has failed.
  private static final int MOST = 256;

  private final EventLoopGroup group;
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<Channel> listening = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();

  private EdgeListener(EventLoopGroup group) {
    this.group = group;
  }

  /// How connections are accepted.
  ///
  /// @param addresses where to listen; port 0 takes any free one
  /// @param tls certificates
  /// @param frameBytes the most bytes of one frame
  /// @param workers runs the expensive steps of handshakes
  public record Settings(
      List<InetSocketAddress> addresses, MutualTls tls, int frameBytes, Executor workers) {}

  /// Starts to listen.
  ///
  /// @throws IOException with a sentence for the administrator if an address cannot be had; nothing
  ///   listens then
  public static EdgeListener start(Settings settings, EdgeWire.Acceptor acceptor)
      throws IOException {
    EdgeListener listener =
        new EdgeListener(
            new MultiThreadIoEventLoopGroup(
                Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                new DefaultThreadFactory("zonda-edges"),
                NioIoHandler.newFactory()));
    try {
      for (InetSocketAddress address : settings.addresses()) {
        listener.listen(address, settings, acceptor);
      }
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  private void listen(InetSocketAddress address, Settings settings, EdgeWire.Acceptor acceptor)
      throws IOException {
    long most = Runtime.getRuntime().maxMemory() / 8;
    FrameChannel.Bounds bounds = new FrameChannel.Bounds(settings.frameBytes(), most / 2, most);
    var bound =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel, settings, acceptor, bounds);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen for edges on " + address + ": " + bound.cause().getMessage(),
          bound.cause());
    }
    listening.add(bound.channel());
    addresses.add((InetSocketAddress) bound.channel().localAddress());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a refused connection is not waited for
  private void accept(
      Channel channel, Settings settings, EdgeWire.Acceptor acceptor, FrameChannel.Bounds bounds) {
    if (open.incrementAndGet() > MOST) {
      channel.close();
    } else {
      FrameChannel.on(channel, settings.tls().server(settings.workers()), acceptor, bounds);
    }
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
  }

  /// Where it listens, with the ports that were taken.
  public List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  /// Accepts no more connections.
  public void stopAccepting() {
    listening.forEach(channel -> channel.close().awaitUninterruptibly());
  }

  /// Ends all connections.
  @Override
  public void close() {
    stopAccepting();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
