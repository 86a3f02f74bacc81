package im.zonda.net.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.bytestream.Bytestreams.Activation;
import im.zonda.config.Proxy;
import im.zonda.config.limits.Limits.ProxyLimits;
import im.zonda.jid.Jid;
import im.zonda.runtime.TestRuntime;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The proxy over sockets, with a clock that the test advances.
@Timeout(60)
class SocksProxyTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final ProxyLimits LIMITS =
      new ProxyLimits(100, 50, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 0, 0);
  private static final int READ_MILLIS = 30_000;

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Runnable> timers = new ConcurrentLinkedQueue<>();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong paused = new AtomicLong();
  private final List<Socket> sockets = new ArrayList<>();
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private @Nullable SocksProxy running;

  private SocksProxy start(ProxyLimits limits) throws IOException {
    SocksProxy.Environment environment =
        new SocksProxy.Environment(
            new TestRuntime()
                .clock(() -> now)
                .scheduler((delay, task) -> {
                  timers.add(task);
                  return () -> timers.remove(task);
                })
                .workers(workers)
                .build(),
            nanos::get,
            time -> {
              paused.addAndGet(time);
              nanos.addAndGet(time);
            });
    Proxy settings = new Proxy(List.of("127.0.0.1:0"), null, null, "proxy", List.of());
    running = SocksProxy.start(settings, limits, environment);
    return running;
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    if (running != null) {
      running.close();
    }
    workers.close();
  }

  private void advance(Duration time) {
    now = now.plus(time);
    int due = timers.size();
    for (int i = 0; i < due; i++) {
      Runnable timer = timers.poll();
      if (timer != null) {
        timer.run();
      }
    }
  }

  private static String hash(int number) {
    return "%040x".formatted(number);
  }

  /// A client that has made its request; what it was answered is in `reply`.
  private record Client(Socket socket, int reply) {
    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    String receive(int length) throws IOException {
      return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    boolean isClosed() throws IOException {
      return socket.getInputStream().read() < 0;
    }
  }

  private static InetAddress local(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  private Client connect(SocksProxy proxy, int number) throws IOException {
    return connect(proxy, number, 1);
  }

  /// @return with -1 as the reply if the connection was closed instead
  private Client connect(SocksProxy proxy, int number, int own) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(READ_MILLIS);
    socket.bind(new InetSocketAddress(local(own), 0));
    socket.connect(new InetSocketAddress(local(1), proxy.port()));
    byte[] request = new byte[3 + 5 + 40 + 2];
    byte[] start = {5, 1, 0, 5, 1, 0, 3, 40};
    System.arraycopy(start, 0, request, 0, start.length);
    byte[] hash = hash(number).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(hash, 0, request, start.length, hash.length);
    byte[] answer;
    try {
      socket.getOutputStream().write(request);
      answer = socket.getInputStream().readNBytes(2 + 5 + 40 + 2);
    } catch (IOException e) {
      answer = new byte[0];
    }
    return new Client(socket, answer.length < 4 ? -1 : answer[3]);
  }

  @Test
  void bytesAreForwardedBothWaysAfterTheActivation() throws Exception {
    SocksProxy proxy = start(LIMITS);
    Client target = connect(proxy, 1);
    target.send("early ");
    Client requester = connect(proxy, 1);
    assertThat(List.of(target.reply(), requester.reply())).containsOnly(0);
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    target.send("late");
    requester.send("hello");
    assertThat(requester.receive(10)).isEqualTo("early late");
    assertThat(target.receive(5)).isEqualTo("hello");
    // A request that is repeated changes nothing.
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    requester.send("!");
    assertThat(target.receive(1)).isEqualTo("!");
  }

  @Test
  void whoHasFinishedStillReceives() throws Exception {
    SocksProxy proxy = start(LIMITS);
    Client target = connect(proxy, 1);
    Client requester = connect(proxy, 1);
    proxy.activate(hash(1), ROMEO);
    byte[] file = new byte[4_000_000];
    new Random(7).nextBytes(file);
    Future<byte[]> received = workers.submit(() -> target.socket().getInputStream().readAllBytes());
    requester.socket().getOutputStream().write(file);
    requester.socket().shutdownOutput();
    assertThat(Arrays.equals(received.get(), file)).isTrue();
    target.send("thanks");
    assertThat(requester.receive(6)).isEqualTo("thanks");
    target.socket().close();
    assertThat(requester.isClosed()).isTrue();
  }

  @Test
  void bothPartiesAreNeeded() throws Exception {
    SocksProxy proxy = start(LIMITS);
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.NOT_CONNECTED);
    Client target = connect(proxy, 1);
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ONE_PARTY);
    assertThat(proxy.activate(hash(2), ROMEO)).isEqualTo(Activation.NOT_CONNECTED);
    connect(proxy, 1);
    assertThat(connect(proxy, 1).reply()).as("a third one").isEqualTo(SocksHandshake.NOT_ALLOWED);
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    target.socket().close();
  }

  @Test
  void oneAccountHasSoManyStreams() throws Exception {
    SocksProxy proxy = start(LIMITS);
    for (int stream = 1; stream <= 3; stream++) {
      connect(proxy, stream);
      connect(proxy, stream);
    }
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    assertThat(proxy.activate(hash(2), ROMEO)).isEqualTo(Activation.ACTIVE);
    assertThat(proxy.activate(hash(3), ROMEO)).isEqualTo(Activation.TOO_MANY);
    assertThat(proxy.activate(hash(3), JULIET)).isEqualTo(Activation.ACTIVE);
  }

  @Test
  void whatIsNotActivatedIsClosedInTime() throws Exception {
    SocksProxy proxy = start(LIMITS);
    Client waiting = connect(proxy, 1);
    Client active = connect(proxy, 2);
    Client other = connect(proxy, 2);
    proxy.activate(hash(2), ROMEO);
    advance(LIMITS.waitingTime().minusMillis(1));
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ONE_PARTY);
    advance(Duration.ofMillis(1));
    assertThat(waiting.isClosed()).isTrue();
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.NOT_CONNECTED);
    active.send("still there");
    assertThat(other.receive(11)).isEqualTo("still there");
  }

  @Test
  void aStreamThatIsIdleIsClosed() throws Exception {
    SocksProxy proxy = start(LIMITS);
    Client target = connect(proxy, 1);
    Client requester = connect(proxy, 1);
    proxy.activate(hash(1), ROMEO);
    advance(LIMITS.idleTime().minusSeconds(1));
    target.send("x");
    assertThat(requester.receive(1)).isEqualTo("x");
    requester.send("y");
    assertThat(target.receive(1)).isEqualTo("y");
    advance(LIMITS.idleTime().minusSeconds(1));
    requester.send("z");
    assertThat(target.receive(1)).isEqualTo("z");
    advance(LIMITS.idleTime());
    advance(LIMITS.idleTime());
    assertThat(target.isClosed()).isTrue();
    assertThat(requester.isClosed()).isTrue();
  }

  @Test
  void oneAddressHasSoManyConnectionsThatWait() throws Exception {
    SocksProxy proxy =
        start(new ProxyLimits(100, 2, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 0, 0));
    Client target = connect(proxy, 1);
    Client requester = connect(proxy, 1);
    assertThat(connect(proxy, 2).reply()).isEqualTo(-1);
    assertThat(connect(proxy, 2, 2).reply()).isZero();
    proxy.activate(hash(1), ROMEO);
    assertThat(connect(proxy, 2).reply()).as("after the activation").isZero();
    target.send("a");
    assertThat(requester.receive(1)).isEqualTo("a");
  }

  @Test
  void theAddressWithMostConnectionsPaysForTheRoomOfOthers() throws Exception {
    SocksProxy proxy =
        start(new ProxyLimits(4, 50, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 0, 0));
    Client bystander = connect(proxy, 1, 2);
    Client oldest = connect(proxy, 2);
    connect(proxy, 3);
    connect(proxy, 4);
    Client party = connect(proxy, 1, 3);
    assertThat(party.reply()).isZero();
    assertThat(oldest.isClosed()).isTrue();
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    party.send("a");
    assertThat(bystander.receive(1)).isEqualTo("a");
  }

  /// What is active is not closed for others, and gives its room back when it ends.
  @Test
  void activeStreamsKeepTheirRoom() throws Exception {
    SocksProxy proxy =
        start(new ProxyLimits(2, 50, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 0, 0));
    Client target = connect(proxy, 1);
    Client requester = connect(proxy, 1);
    proxy.activate(hash(1), ROMEO);
    assertThat(connect(proxy, 2, 2).reply()).isEqualTo(-1);
    target.send("a");
    assertThat(requester.receive(1)).isEqualTo("a");
    target.socket().close();
    assertThat(requester.isClosed()).isTrue();
    requester.socket().close();
    while (proxy.activate(hash(1), ROMEO) == Activation.ACTIVE) {
      LockSupport.parkNanos(1_000_000); // until both directions have ended
    }
    assertThat(connect(proxy, 2, 2).reply()).isZero();
  }

  @Test
  void aStreamIsAsFastAsItMayBe() throws Exception {
    SocksProxy proxy =
        start(
            new ProxyLimits(100, 50, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 100_000, 0));
    Client target = connect(proxy, 1);
    Client requester = connect(proxy, 1);
    proxy.activate(hash(1), ROMEO);
    Future<byte[]> received = workers.submit(() -> target.socket().getInputStream().readAllBytes());
    requester.socket().getOutputStream().write(new byte[1_025_000]);
    requester.socket().shutdownOutput();
    assertThat(received.get()).hasSize(1_025_000);
    // A quarter of a second is granted at once.
    assertThat(TimeUnit.NANOSECONDS.toMillis(paused.get())).isBetween(9_990L, 10_010L);
  }

  @Test
  void allStreamsShareTheirRate() throws Exception {
    SocksProxy proxy =
        start(
            new ProxyLimits(100, 50, Duration.ofMinutes(1), Duration.ofMinutes(5), 2, 0, 100_000));
    for (int stream = 1; stream <= 2; stream++) {
      Client target = connect(proxy, stream);
      Client requester = connect(proxy, stream);
      proxy.activate(hash(stream), ROMEO);
      Future<byte[]> received =
          workers.submit(() -> target.socket().getInputStream().readAllBytes());
      requester.socket().getOutputStream().write(new byte[512_500]);
      requester.socket().shutdownOutput();
      assertThat(received.get()).hasSize(512_500);
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(paused.get())).isBetween(9_990L, 10_010L);
  }

  @Test
  void whatIsClosedIsClosedForAll() throws Exception {
    SocksProxy proxy = start(LIMITS);
    Client waiting = connect(proxy, 1);
    Client target = connect(proxy, 2);
    Client requester = connect(proxy, 2);
    proxy.activate(hash(2), ROMEO);
    proxy.close();
    assertThat(waiting.isClosed()).isTrue();
    assertThat(target.isClosed()).isTrue();
    assertThat(requester.isClosed()).isTrue();
    assertThat(timers).isEmpty();
  }

  private static Proxy listening(String... addresses) {
    return new Proxy(List.of(addresses), null, null, "proxy", List.of());
  }

  @Test
  void otherAddressesAreListenedOnAndConnectionsStay() throws IOException {
    SocksProxy proxy = start(LIMITS);
    int before = proxy.port();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String other = "127.0.0.1:" + taken.getLocalPort();
      assertThatThrownBy(() -> proxy.prepare(listening("127.0.0.2:0", other)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
    assertThat(proxy.port()).isEqualTo(before);
    proxy.prepare(listening("127.0.0.2:0")).discard();
    assertThat(proxy.port()).isEqualTo(before);

    Client first = connect(proxy, 1);
    Client second = connect(proxy, 1);
    proxy.prepare(listening("127.0.0.2:0")).use();
    assertThat(proxy.activate(hash(1), ROMEO)).isEqualTo(Activation.ACTIVE);
    first.send("still here");
    assertThat(second.receive(10)).isEqualTo("still here");
    try (Socket moved = new Socket()) {
      moved.connect(new InetSocketAddress(local(2), proxy.port()));
      assertThatThrownBy(
              () -> {
                try (Socket late = new Socket()) {
                  late.connect(new InetSocketAddress(local(1), before));
                  // The system may have taken it just before the listener was closed.
                  if (late.getInputStream().read() < 0) {
                    throw new EOFException("closed");
                  }
                }
              })
          .isInstanceOf(IOException.class);
    }
    proxy.prepare(listening()).use();
    assertThat(proxy.port()).isZero();
  }
}
