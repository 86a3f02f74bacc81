package im.zonda.net.edge;

import im.zonda.edge.EdgeWire;
import im.zonda.net.Listener;
import im.zonda.net.proxy.ProxyHeaders;
import im.zonda.net.tls.MutualTls;
import im.zonda.runtime.FailureText;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where a core accepts the connections of its edges. Event loops of its own.
public final class EdgeListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeListener.class);

  /// Connections at a time whose handshake has not ended, from all addresses and from one:
  /// strangers may not keep edges out. Those of edges that are authenticated are not counted.
  private static final int MOST_STRANGERS = 256;

  private static final int MOST_OF_ADDRESS = 16;

  private final EventLoopGroup group;
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<Channel> listening = new ArrayList<>();
  private final Map<InetAddress, Integer> strangers = new HashMap<>(); // guarded by itself
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private EdgeListener(EventLoopGroup group) {
    this.group = group;
  }

  /// How connections are accepted.
  ///
  /// @param listeners where to listen; port 0 takes any free one
  /// @param tls certificates
  /// @param frameBytes the most bytes of one frame
  /// @param workers runs the expensive steps of handshakes
  public record Settings(
      List<Listener> listeners, MutualTls tls, int frameBytes, Executor workers) {}

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
      for (Listener each : settings.listeners()) {
        listener.listen(each, settings, acceptor);
      }
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  private void listen(Listener listener, Settings settings, EdgeWire.Acceptor acceptor)
      throws IOException {
    long most = Runtime.getRuntime().maxMemory() / 8;
    FrameChannel.Bounds bounds = new FrameChannel.Bounds(settings.frameBytes(), most / 2, most);
    ProxyHeaders proxies = listener.proxies();
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
                    InetAddress peer = ((InetSocketAddress) channel.remoteAddress()).getAddress();
                    Consumer<InetAddress> accepting =
                        address -> accept(channel, address, settings, acceptor, bounds);
                    if (proxies == null) {
                      accepting.accept(peer);
                    } else {
                      proxies.await(channel, peer, new Behind(peer, accepting));
                    }
                  }
                })
            .bind(listener.address())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen for edges on "
              + listener
              + " (edges.listen): "
              + FailureText.ofBind(bound.cause()),
          bound.cause());
    }
    listening.add(bound.channel());
    addresses.add((InetSocketAddress) bound.channel().localAddress());
  }

  /// A connection that a proxy has made.
  private record Behind(InetAddress proxy, Consumer<InetAddress> accepting)
      implements ProxyHeaders.Receiver {
    @Override
    public void accept(InetAddress client) {
      accepting.accept(client);
    }

    @Override
    public void refused(String reason) {
      LOG.atWarn()
          .addKeyValue("peer", proxy.getHostAddress())
          .addKeyValue("reason", reason)
          .log("edge_wire_refused");
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a refused connection is not waited for
  private void accept(
      Channel channel,
      InetAddress address,
      Settings settings,
      EdgeWire.Acceptor acceptor,
      FrameChannel.Bounds bounds) {
    if (!enter(address)) {
      channel.close();
      return;
    }
    AtomicBoolean counted = new AtomicBoolean(true);
    open.add(channel);
    channel
        .closeFuture()
        .addListener(over -> {
          open.remove(channel);
          leave(address, counted);
        });
    if (closed) {
      channel.unsafe().closeForcibly();
      return;
    }
    FrameChannel.on(
        channel,
        address.getHostAddress(),
        settings.tls().server(settings.workers()),
        (wire, peer) -> {
          leave(address, counted);
          return acceptor.accept(wire, peer);
        },
        bounds);
  }

  private boolean enter(InetAddress address) {
    synchronized (strangers) {
      int own = strangers.getOrDefault(address, 0);
      int all = strangers.values().stream().mapToInt(Integer::intValue).sum();
      if (own >= MOST_OF_ADDRESS || all >= MOST_STRANGERS) {
        return false;
      }
      strangers.put(address, own + 1);
      return true;
    }
  }

  private void leave(InetAddress address, AtomicBoolean counted) {
    if (counted.compareAndSet(true, false)) {
      synchronized (strangers) {
        strangers.computeIfPresent(address, (_, own) -> own == 1 ? null : own - 1);
      }
    }
  }

  /// Where it listens, with the ports that were taken.
  public List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  /// Accepts no more connections.
  public void stopAccepting() {
    listening.forEach(channel -> channel.close().awaitUninterruptibly());
  }

  /// Ends all connections. One whose handshake has not ended would otherwise wait for it, and stay
  /// open when its event loop has ended: the edge would wait for an answer that never comes.
  @Override
  public void close() {
    closed = true;
    stopAccepting();
    for (Channel channel : open) {
      channel
          .eventLoop()
          .submit(() -> channel.unsafe().closeForcibly())
          .awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
