package im.zonda.net.local;

import im.zonda.net.AcceptedChannel;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/// Accepts connections at a socket in the file system, on a thread of its own: administrators reach
/// the server also when its other event loops are busy. Closed once.
public final class LocalServer implements AutoCloseable {
  private final EventLoopGroup eventLoop;
  private final AcceptedChannel.Setup setup;
  private final int most;

  /// The connections that there are. Confined to the event loop.
  private int open;

  private LocalServer(AcceptedChannel.Setup setup, int most) {
    this.eventLoop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("zonda-local"), NioIoHandler.newFactory());
    this.setup = setup;
    this.most = most;
  }

  /// Begins to accept connections.
  ///
  /// @param address a path that does not exist
  /// @param most the most connections at a time; others are closed at once
  /// @param setup adds the handlers of a connection
  /// @throws IOException if the address cannot be had
  public static LocalServer open(
      UnixDomainSocketAddress address, int most, AcceptedChannel.Setup setup) throws IOException {
    LocalServer server = new LocalServer(setup, most);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(server.eventLoop)
            .channel(NioServerDomainSocketChannel.class)
            .childHandler(server.newAcceptor())
            .bind(address)
            .awaitUninterruptibly();
    Throwable cause = bound.cause();
    if (cause != null) {
      server.close();
      throw cause instanceof IOException failure ? failure : new IOException(cause);
    }
    return server;
  }

  private ChannelInitializer<Channel> newAcceptor() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        accept(channel);
      }
    };
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the listener is added to the close future
  private void accept(Channel channel) {
    if (open >= most) {
      channel.close();
      return;
    }
    open++;
    channel.closeFuture().addListener(_ -> open--);
    setup.set(new LocalChannel(channel));
  }

  /// Accepts no more connections, and closes those that there are.
  @Override
  public void close() {
    eventLoop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
