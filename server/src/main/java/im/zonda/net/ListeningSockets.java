package im.zonda.net;

import im.zonda.runtime.FailureText;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sockets on which connections are accepted: can be closed and opened again. Safe for use by
/// several threads.
final class ListeningSockets {
  private static final Logger LOG = LoggerFactory.getLogger(ListeningSockets.class);

  /// A listener with the port that it was given.
  private record Bound(ServerBootstrap bootstrap, Listener listener) {}

  // Guarded by this object's monitor.
  private final List<Bound> all = new ArrayList<>();
  private final List<Channel> open = new ArrayList<>();

  /// Opens a socket.
  ///
  /// @param only whether there is no other listener
  /// @return the listener with its port; null if the machine has no IPv6 and there are others
  /// @throws IOException with a sentence for the administrator if the address cannot be had
  synchronized @Nullable Listener open(ServerBootstrap bootstrap, Listener listener, boolean only)
      throws IOException {
    ChannelFuture done = bootstrap.bind(listener.address()).awaitUninterruptibly();
    if (done.isSuccess()) {
      done.channel().pipeline().addLast(new AcceptFailures());
      open.add(done.channel());
      Listener bound = listener.at((InetSocketAddress) done.channel().localAddress());
      all.add(new Bound(bootstrap, bound));
      return bound;
    }
    Throwable cause = done.cause();
    boolean inUse = String.valueOf(cause.getMessage()).contains("in use");
    if (!inUse && isVersion6Loopback(listener) && !only) {
      // The machine has no IPv6.
      LOG.atWarn().addKeyValue("listener", listener).log("listen_skipped_no_ipv6");
      return null;
    }
    throw new IOException(
        "cannot listen on "
            + listener
            + " ("
            + listener.kind().key()
            + "): "
            + FailureText.ofBind(cause),
        cause);
  }

  private static boolean isVersion6Loopback(Listener listener) {
    return listener.address().getAddress() instanceof Inet6Address address
        && address.isLoopbackAddress();
  }

  /// Whether all sockets are open, and there are any.
  synchronized boolean isOpen() {
    return !open.isEmpty() && open.stream().allMatch(Channel::isOpen);
  }

  /// Closes all sockets.
  synchronized void close() {
    open.forEach(channel -> channel.close().syncUninterruptibly());
    open.clear();
  }

  /// Opens the sockets that were closed, at the same addresses; does nothing if they are open.
  ///
  /// @throws IOException if an address cannot be had; none is open then
  synchronized void reopen() throws IOException {
    if (!open.isEmpty()) {
      return;
    }
    List<Bound> before = List.copyOf(all);
    all.clear();
    try {
      for (Bound each : before) {
        open(each.bootstrap(), each.listener(), true);
      }
    } catch (IOException e) {
      close();
      all.clear();
      all.addAll(before);
      throw e;
    }
  }

  /// Reports that no connection could be accepted, as when too many files are open. The bootstrap
  /// pauses for a second then and tries again.
  private static final class AcceptFailures extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.atWarn()
          .addKeyValue("listener", ctx.channel().localAddress())
          .addKeyValue("cause", cause.toString())
          .log("accept_failed");
    }
  }
}
