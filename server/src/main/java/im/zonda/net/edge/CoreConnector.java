package im.zonda.net.edge;

import im.zonda.edge.EdgeWire;
import im.zonda.net.tls.MutualTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a connection of an edge to a core: connects, and connects again when the connection is
/// gone, with pauses that double up to half a second.
public final class CoreConnector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CoreConnector.class);
  private static final int CONNECT_MILLIS = 5_000;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final long FULL_BYTES = 4 << 20;
  private static final long MOST_BYTES = 64 << 20;

  private final Settings settings;
  private final EdgeWire.Acceptor acceptor;
  private final Bootstrap dialing;
  private final EventLoop loop;

  // ---- confined to the event loop

  private long pause = FIRST_PAUSE_MILLIS;
  private boolean failing;
  private @Nullable Channel current;
  private volatile boolean closed;

  /// How a core is reached.
  ///
  /// @param core where it is
  /// @param tls certificates
  /// @param frameBytes the most bytes of one frame
  /// @param workers runs the expensive steps of handshakes
  public record Settings(CoreAddress core, MutualTls tls, int frameBytes, Executor workers) {}

  private CoreConnector(Settings settings, EdgeWire.Acceptor acceptor, Bootstrap dialing) {
    this.settings = settings;
    this.acceptor = acceptor;
    this.dialing = dialing;
    this.loop = dialing.config().group().next();
  }

  /// Starts to connect; returns at once.
  ///
  /// @param dialing makes connections on one event loop, best one that has clients: what they send
  ///   wakes no other thread then
  public static CoreConnector start(
      Settings settings, EdgeWire.Acceptor acceptor, Bootstrap dialing) {
    CoreConnector connector = new CoreConnector(settings, acceptor, dialing);
    connector.loop.execute(connector::connect);
    return connector;
  }

  private void connect() {
    if (closed) {
      return;
    }
    CoreAddress core = settings.core();
    FrameChannel.Bounds bounds =
        new FrameChannel.Bounds(settings.frameBytes(), FULL_BYTES, MOST_BYTES);
    ChannelFuture connecting =
        dialing
            .clone()
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    FrameChannel.on(
                        channel,
                        core.toString(),
                        settings.tls().client(core.name(), core.port(), settings.workers()),
                        CoreConnector.this::accepted,
                        bounds);
                  }
                })
            .connect(core.host(), core.port());
    current = connecting.channel();
    connecting
        .channel()
        .closeFuture()
        .addListener(ended -> {
          if (connecting.cause() != null && !failing) {
            failing = true;
            LOG.atWarn()
                .addKeyValue("core", core)
                .addKeyValue("reason", String.valueOf(connecting.cause().getMessage()))
                .log("core_not_reached");
          }
          again();
        });
  }

  private EdgeWire.Handler accepted(EdgeWire wire, String peer) {
    pause = FIRST_PAUSE_MILLIS;
    failing = false;
    return acceptor.accept(wire, peer);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it ends with the loop
  private void again() {
    if (!closed) {
      loop.schedule(this::connect, pause, TimeUnit.MILLISECONDS);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /// Ends the connection as a failure of the network would; another one follows.
  public void cut() {
    loop.execute(() -> {
      Channel channel = current;
      if (channel != null) {
        channel.unsafe().close(channel.newPromise());
      }
    });
  }

  /// Connects no more; the connection ends with its event loop.
  @Override
  public void close() {
    closed = true;
  }
}
