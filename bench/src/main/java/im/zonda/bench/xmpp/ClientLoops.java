package im.zonda.bench.xmpp;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// The event loops of the generator's clients, and what all clients share.
public final class ClientLoops implements AutoCloseable {
  private final MultiThreadIoEventLoopGroup group;
  private final Class<? extends SocketChannel> channels;
  private final List<ClientLoop> loops = new ArrayList<>();
  private final ScramKeys keys = new ScramKeys();
  private final SslContext tls;

  private ClientLoops(int count) {
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    channels = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    group =
        new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("bench-loop", true), io);
    for (int i = 0; i < count; i++) {
      loops.add(new ClientLoop((EventLoop) group.next()));
    }
    try {
      tls =
          SslContextBuilder.forClient()
              .trustManager(InsecureTrustManagerFactory.INSTANCE)
              .endpointIdentificationAlgorithm(null)
              .build();
    } catch (SSLException e) {
      throw new IllegalStateException("no TLS", e);
    }
  }

  /// Starts event loops, with a thread each.
  public static ClientLoops open(int count) {
    // The server's log settings, which may be in the same class path, are not meant for clients.
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    return new ClientLoops(count);
  }

  /// The loops.
  public List<ClientLoop> all() {
    return List.copyOf(loops);
  }

  /// The loop of a client. Clients 2k and 2k+1 have the same.
  ///
  /// @param client its number, from 0
  public ClientLoop of(int client) {
    // Multiplied, since the processes of a run may have taken every second pair.
    int mixed = ((client >> 1) * 0x9E3779B1) >>> 16;
    return loops.get(mixed % loops.size());
  }

  Class<? extends SocketChannel> channels() {
    return channels;
  }

  ScramKeys keys() {
    return keys;
  }

  SslContext tls() {
    return tls;
  }

  /// Ends the loops; connections that are open are closed.
  @Override
  public void close() {
    keys.close();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
