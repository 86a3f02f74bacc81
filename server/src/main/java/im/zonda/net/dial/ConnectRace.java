package im.zonda.net.dial;

import im.zonda.dns.Target;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Connects to several addresses, one after another and without waiting for one that does not
/// answer; the first connection wins and the others are closed (RFC 8305, section 5). Confined to
/// one event loop, which all its connections belong to.
@SuppressWarnings("FutureReturnValueIgnored") // what is closed is not waited for
public final class ConnectRace {
  /// The most addresses that are tried.
  private static final int MOST = 64;

  private final EventLoop eventLoop;
  private final BiFunction<InetSocketAddress, Duration, ChannelFuture> connector;
  private final DialTimes times;
  private final List<Connected> candidates;
  private final BiConsumer<Channel, Connected> winner;
  private final Map<ChannelFuture, Connected> pending = new LinkedHashMap<>();
  private final List<ConnectFailure.Attempt> failures = new ArrayList<>();
  private final CompletableFuture<Connected> result = new CompletableFuture<>();
  private int next;
  private boolean over;
  private @Nullable Future<?> nextTimer;
  private @Nullable Future<?> overallTimer;

  /// The handler of a channel that has not won yet.
  public static final class Waiting extends ChannelInboundHandlerAdapter {
    private boolean active;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      active = true;
    }

    /// Whether the channel has announced already that it is connected. Netty does so after it has
    /// completed the future.
    public boolean wasActive() {
      return active;
    }
  }

  /// @param connector starts to connect, on that event loop
  /// @param winner uses the connection that was first, on the event loop
  public ConnectRace(
      EventLoop eventLoop,
      BiFunction<InetSocketAddress, Duration, ChannelFuture> connector,
      DialTimes times,
      List<Target> targets,
      BiConsumer<Channel, Connected> winner) {
    this.eventLoop = eventLoop;
    this.connector = connector;
    this.times = times;
    this.candidates = candidates(targets);
    this.winner = winner;
  }

  /// The addresses in the order in which to try them: server by server, both families by turns (RFC
  /// 8305, section 4).
  static List<Connected> candidates(List<Target> targets) {
    List<Connected> all = new ArrayList<>();
    for (Target target : targets) {
      List<InetAddress> six = new ArrayList<>();
      List<InetAddress> four = new ArrayList<>();
      for (InetAddress each : target.addresses()) {
        (each instanceof Inet6Address ? six : four).add(each);
      }
      for (int i = 0; i < Math.max(six.size(), four.size()); i++) {
        if (i < six.size()) {
          all.add(new Connected(target, new InetSocketAddress(six.get(i), target.port())));
        }
        if (i < four.size()) {
          all.add(new Connected(target, new InetSocketAddress(four.get(i), target.port())));
        }
      }
    }
    return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
  }

  /// Starts. Any thread may call, once.
  public CompletableFuture<Connected> start() {
    result.whenComplete((won, failure) -> {
      if (result.isCancelled()) {
        eventLoop.execute(this::end);
      }
    });
    eventLoop.execute(() -> {
      overallTimer =
          eventLoop.schedule(this::timeOut, times.all().toMillis(), TimeUnit.MILLISECONDS);
      tryNext();
    });
    return result;
  }

  private void tryNext() {
    cancel(nextTimer);
    if (over) {
      return;
    }
    if (next == candidates.size()) {
      if (pending.isEmpty()) {
        fail();
      }
      return;
    }
    Connected candidate = candidates.get(next);
    next++;
    if (next < candidates.size()) {
      nextTimer =
          eventLoop.schedule(this::tryNext, times.between().toMillis(), TimeUnit.MILLISECONDS);
    }
    ChannelFuture attempt = connector.apply(candidate.address(), times.attempt());
    pending.put(attempt, candidate);
    attempt.addListener(done -> finished(attempt, candidate));
  }

  private void finished(ChannelFuture attempt, Connected candidate) {
    pending.remove(attempt);
    if (attempt.isSuccess()) {
      connected(attempt.channel(), candidate);
    } else if (!over) {
      failures.add(
          new ConnectFailure.Attempt(
              candidate.target(), candidate.address(), describe(attempt.cause())));
      tryNext();
    }
  }

  private void connected(Channel channel, Connected candidate) {
    if (over) {
      channel.close();
      return;
    }
    end();
    try {
      winner.accept(channel, candidate);
    } catch (RuntimeException e) {
      channel.close();
      result.completeExceptionally(e);
      return;
    }
    result.complete(candidate);
  }

  private void timeOut() {
    if (!over) {
      pending.forEach((attempt, each) ->
          failures.add(
              new ConnectFailure.Attempt(each.target(), each.address(), "no answer in time")));
      for (Connected each : candidates.subList(next, candidates.size())) {
        failures.add(
            new ConnectFailure.Attempt(
                each.target(), each.address(), "not tried for want of time"));
      }
      fail();
    }
  }

  private void fail() {
    end();
    result.completeExceptionally(new ConnectFailure(failures));
  }

  /// Ends all attempts.
  private void end() {
    over = true;
    cancel(nextTimer);
    cancel(overallTimer);
    for (ChannelFuture each : List.copyOf(pending.keySet())) {
      each.channel().close();
    }
  }

  private static void cancel(@Nullable Future<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  private static String describe(Throwable cause) {
    if (cause instanceof ConnectTimeoutException) {
      return "no answer in time";
    }
    String message = String.valueOf(cause.getMessage());
    if (message.contains("refused")) {
      return "connection refused";
    }
    if (message.contains("unreachable")) {
      return "network unreachable";
    }
    return message;
  }
}
