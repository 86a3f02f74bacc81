package im.zonda.net.dial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.dns.Target;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.ConnectException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The order of attempts and what becomes of each; the test decides which of them connect.
class ConnectRaceTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop eventLoop = group.next();
  private final BlockingQueue<Attempt> attempts = new LinkedBlockingQueue<>();
  private final List<Channel> won = new ArrayList<>();
  private @Nullable RuntimeException defect;

  private record Attempt(String address, ChannelPromise promise) {
    void succeed() {
      promise.setSuccess();
    }

    void fail(Exception cause) {
      promise.setFailure(cause);
    }

    boolean isClosed() throws InterruptedException {
      return promise.channel().closeFuture().await(10, TimeUnit.SECONDS);
    }
  }

  @AfterEach
  void stop() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static Target target(String... addresses) {
    List<InetAddress> parsed = new ArrayList<>();
    for (String each : addresses) {
      parsed.add(InetAddress.ofLiteral(each));
    }
    return new Target("x.example", parsed, 5269, false, List.of());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // registered at once, on the event loop
  private CompletableFuture<Connected> race(DialTimes times, Target... targets) {
    return new ConnectRace(
            eventLoop,
            (address, time) -> {
              Channel channel = new NioSocketChannel();
              eventLoop.register(channel);
              ChannelPromise promise = channel.newPromise();
              attempts.add(new Attempt(address.getAddress().getHostAddress(), promise));
              return promise;
            },
            times,
            List.of(targets),
            (channel, connected) -> {
              if (defect != null) {
                throw defect;
              }
              won.add(channel);
            })
        .start();
  }

  private static DialTimes times(Duration between, Duration all) {
    return new DialTimes(between, NEVER, all);
  }

  private Attempt next() throws InterruptedException {
    Attempt attempt = attempts.poll(10, TimeUnit.SECONDS);
    assertThat(attempt).isNotNull();
    return attempt;
  }

  private static @Nullable Throwable failure(CompletableFuture<?> result) throws Exception {
    try {
      result.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("connected");
  }

  @Test
  void serverByServerAndBothFamiliesByTurns() {
    List<Connected> order =
        ConnectRace.candidates(
            List.of(
                target("192.0.2.1", "192.0.2.2", "2001:db8::1"),
                target("2001:db8::2", "2001:db8::3", "192.0.2.3")));
    assertThat(order.stream().map(each -> each.address().getAddress().getHostAddress()))
        .containsExactly(
            "2001:db8:0:0:0:0:0:1",
            "192.0.2.1",
            "192.0.2.2",
            "2001:db8:0:0:0:0:0:2",
            "192.0.2.3",
            "2001:db8:0:0:0:0:0:3");
  }

  @Test
  void theNumberOfAddressesIsBounded() {
    String[] many = new String[100];
    for (int i = 0; i < many.length; i++) {
      many[i] = "192.0.2." + i;
    }
    assertThat(ConnectRace.candidates(List.of(target(many)))).hasSize(64);
  }

  @Test
  void aFailureStartsTheNextAttemptAtOnce() throws Exception {
    CompletableFuture<Connected> result =
        race(times(NEVER, NEVER), target("192.0.2.1"), target("192.0.2.2"));
    next().fail(new ConnectException("Connection refused"));
    Attempt second = next();
    assertThat(second.address()).isEqualTo("192.0.2.2");
    second.succeed();
    assertThat(result.get(10, TimeUnit.SECONDS).target()).isEqualTo(target("192.0.2.2"));
    assertThat(won).containsExactly(second.promise().channel());
  }

  @Test
  void theFirstConnectionWinsAndTheOthersAreClosed() throws Exception {
    CompletableFuture<Connected> result =
        race(times(AT_ONCE, NEVER), target("192.0.2.1", "192.0.2.2", "192.0.2.3"));
    Attempt first = next();
    Attempt second = next();
    Attempt third = next();
    second.succeed();
    assertThat(result.get(10, TimeUnit.SECONDS).address().getAddress().getHostAddress())
        .isEqualTo("192.0.2.2");
    assertThat(first.isClosed()).isTrue();
    assertThat(third.isClosed()).isTrue();
    assertThat(second.promise().channel().isOpen()).isTrue();
    first.succeed(); // too late
    eventLoop.submit(() -> {}).get();
    assertThat(won).hasSize(1);
  }

  @Test
  void noFurtherAttemptsAfterAConnection() throws Exception {
    CompletableFuture<Connected> result =
        race(times(NEVER, NEVER), target("192.0.2.1", "192.0.2.2"));
    next().succeed();
    result.get(10, TimeUnit.SECONDS);
    eventLoop.submit(() -> {}).get();
    assertThat(attempts).isEmpty();
  }

  @Test
  void ifAllFailTheReasonNamesEachAddress() throws Exception {
    CompletableFuture<Connected> result =
        race(times(NEVER, NEVER), target("192.0.2.1", "2001:db8::1"), target("192.0.2.2"));
    next().fail(new ConnectException("connect failed: Network is unreachable: /x"));
    next().fail(new ConnectTimeoutException("connection timed out"));
    next().fail(new ConnectException("finishConnect(..) failed: Connection refused: /x"));
    assertThat(failure(result))
        .isInstanceOf(ConnectFailure.class)
        .hasMessage(
            "x.example (2001:db8:0:0:0:0:0:1 port 5269): network unreachable;"
                + " x.example (192.0.2.1 port 5269): no answer in time;"
                + " x.example (192.0.2.2 port 5269): connection refused");
  }

  @Test
  void theTimeForAllEndsEveryAttempt() throws Exception {
    CompletableFuture<Connected> result =
        race(times(NEVER, Duration.ofMillis(50)), target("192.0.2.1", "192.0.2.2"));
    Attempt first = next();
    assertThat(failure(result))
        .hasMessageContaining("192.0.2.1 port 5269): no answer in time")
        .hasMessageContaining("192.0.2.2 port 5269): not tried");
    assertThat(first.isClosed()).isTrue();
  }

  @Test
  void cancellingEndsEveryAttempt() throws Exception {
    CompletableFuture<Connected> result =
        race(times(AT_ONCE, NEVER), target("192.0.2.1", "192.0.2.2"));
    Attempt first = next();
    Attempt second = next();
    result.cancel(false);
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
  }

  @Test
  void withoutAddressesThereIsNothingToTry() throws Exception {
    assertThat(failure(race(times(NEVER, NEVER)))).isInstanceOf(ConnectFailure.class);
  }

  @Test
  void aDefectOfTheStreamClosesTheConnection() throws Exception {
    defect = new IllegalStateException("a defect");
    CompletableFuture<Connected> result = race(times(NEVER, NEVER), target("192.0.2.1"));
    Attempt first = next();
    first.succeed();
    assertThatThrownBy(() -> result.get(10, TimeUnit.SECONDS)).hasCause(defect);
    assertThat(first.isClosed()).isTrue();
  }
}
