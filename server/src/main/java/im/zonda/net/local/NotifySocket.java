package im.zonda.net.local;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The socket at which a service manager waits for the state of this process: `sd_notify(3)`, by
/// which systemd knows when a unit with `Type=notify` has started.
///
/// Java has no datagrams between paths; the epoll transport has. A message opens the socket, on a
/// thread of its own, and closes it: a process sends three or four in its life. A message that
/// cannot be sent within two seconds is logged, and the server goes on.
///
/// @param path the path of the socket, with a leading `@` if its name is abstract; null if no one
///   waits, and then nothing is sent
public record NotifySocket(@Nullable String path) {
  private static final Logger LOG = LoggerFactory.getLogger(NotifySocket.class);
  private static final long PATIENCE_SECONDS = 2;

  /// A state of the process.
  public enum State {
    /// The start, or reading the configuration again, has ended.
    READY,
    /// The configuration is read again.
    RELOADING,
    /// The process ends.
    STOPPING
  }

  /// The socket that the variable `NOTIFY_SOCKET` names.
  ///
  /// @param variables the environment
  public static NotifySocket of(Map<String, String> variables) {
    String path = variables.getOrDefault("NOTIFY_SOCKET", "");
    return new NotifySocket(path.isEmpty() ? null : path);
  }

  /// Sends a state. Returns when it was sent, or could not be.
  public void send(State state) {
    if (path == null) {
      return;
    }
    try {
      send(path, state.name() + "=1");
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("state", state)
          .addKeyValue("socket", path)
          .setCause(e)
          .log("service_state_not_sent");
    }
  }

  private static void send(String path, String text) throws IOException {
    if (!Epoll.isAvailable()) {
      throw new IOException("no epoll on this machine", Epoll.unavailabilityCause());
    }
    String name = path.startsWith("@") ? '\0' + path.substring(1) : path;
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("zonda-notify", true), EpollIoHandler.newFactory());
    try {
      ChannelFuture connected =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainDatagramChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(new DomainSocketAddress(name));
      await(connected);
      await(
          connected
              .channel()
              .writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII)));
    } finally {
      Future<?> _ = loop.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void await(ChannelFuture future) throws IOException {
    if (!future.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("not within " + PATIENCE_SECONDS + " s");
    }
    if (!future.isSuccess()) {
      throw new IOException(future.cause());
    }
  }
}
