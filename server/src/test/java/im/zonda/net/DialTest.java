package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.dns.Target;
import im.zonda.net.dial.ConnectFailure;
import im.zonda.net.dial.Connected;
import im.zonda.net.dial.DialTimes;
import im.zonda.stream.InitiatingRole;
import im.zonda.stream.StreamProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Streams that a server opens to a server, with TLS in client mode.
final class DialTest {
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private static void dial(
      RunningServer server, InetSocketAddress address, boolean directTls, StreamProfile profile)
      throws InterruptedException {
    assertThat(server.net.dial(address, directTls, profile).await(10, TimeUnit.SECONDS)).isTrue();
  }

  private @Nullable String next() throws InterruptedException {
    return events.poll(10, TimeUnit.SECONDS);
  }

  @Test
  void startTlsAsClient(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder)) {
      dial(server, server.plain, false, InitiatingRole.profile(events, peer -> true, false));

      assertThat(next()).isEqualTo("connected");
      assertThat(next()).isEqualTo("opened from example.org");
      assertThat(next()).isEqualTo("features with TLS");
      assertThat(next()).as("not trusted by the platform").isEqualTo("secured false true");
      assertThat(next()).isEqualTo("opened from example.org");
      assertThat(next()).isEqualTo("features without TLS");
      server.stop();
      assertThat(next()).isIn("error", "lost", "ended");
    }
  }

  @Test
  void directTlsAsClient(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder)) {
      dial(server, server.tls, true, InitiatingRole.profile(events, peer -> true, true));

      assertThat(next()).isEqualTo("connected");
      assertThat(next()).isEqualTo("secured false true");
      assertThat(next()).isEqualTo("opened from example.org");
      assertThat(next()).isEqualTo("features without TLS");
    }
  }

  @Test
  void aPeerThatTheRoleDoesNotTrustIsLeft(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder)) {
      dial(
          server, server.tls, true, InitiatingRole.profile(events, peer -> peer.isTrusted(), true));

      assertThat(next()).isEqualTo("connected");
      assertThat(next()).startsWith("untrusted ").contains("certification path");
      assertThat(next()).isEqualTo("ended");
      NetServerTest.await(() -> server.net.stats().connectionsOpen() == 0);
    }
  }

  private static Target target(InetSocketAddress address, boolean directTls) {
    return new Target(
        "host.example", List.of(address.getAddress()), address.getPort(), directTls, List.of());
  }

  /// A port whose queue of connections is full: the system does not answer there.
  private static ServerSocket silent(List<Socket> filling) throws IOException {
    ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    for (int i = 0; i < 10; i++) {
      Socket socket = new Socket();
      filling.add(socket);
      try {
        socket.connect(silent.getLocalSocketAddress(), 200);
      } catch (SocketTimeoutException e) {
        return silent;
      }
    }
    throw new IOException("it accepts more than its queue holds");
  }

  private static InetSocketAddress refusing() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }
  }

  @Test
  void theFirstServerThatAnswersIsUsed(@TempDir Path folder) throws Exception {
    List<Socket> filling = new ArrayList<>();
    try (RunningServer server = RunningServer.start(folder);
        ServerSocket silent = silent(filling)) {
      Target used = target(server.tls, true);
      Connected connected =
          server
              .net
              .connect(
                  List.of(
                      target((InetSocketAddress) silent.getLocalSocketAddress(), false),
                      target(refusing(), false),
                      used,
                      target(server.plain, false)),
                  DialTimes.DEFAULTS,
                  each -> InitiatingRole.profile(events, peer -> true, each.directTls()))
              .get(10, TimeUnit.SECONDS);
      assertThat(connected).isEqualTo(new Connected(used, server.tls));
      assertThat(next()).isEqualTo("connected");
      assertThat(next()).isEqualTo("secured false true");
      assertThat(next()).isEqualTo("opened from example.org");
      assertThat(next()).isEqualTo("features without TLS");
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }

  @Test
  void startTlsWithTheFirstServerThatAnswers(@TempDir Path folder) throws Exception {
    try (RunningServer server = RunningServer.start(folder)) {
      server
          .net
          .connect(
              List.of(target(server.plain, false)),
              DialTimes.DEFAULTS,
              each -> InitiatingRole.profile(events, peer -> true, each.directTls()))
          .get(10, TimeUnit.SECONDS);
      assertThat(next()).isEqualTo("connected");
      assertThat(next()).isEqualTo("opened from example.org");
      assertThat(next()).isEqualTo("features with TLS");
      assertThat(next()).isEqualTo("secured false true");
    }
  }

  @Test
  void ifNoServerAnswersTheReasonSaysWhatWasTried(@TempDir Path folder) throws Exception {
    List<Socket> filling = new ArrayList<>();
    try (RunningServer server = RunningServer.start(folder);
        ServerSocket silent = silent(filling)) {
      DialTimes times =
          new DialTimes(Duration.ofMillis(1), Duration.ofMillis(200), Duration.ofSeconds(10));
      CompletableFuture<Connected> result =
          server.net.connect(
              List.of(
                  target((InetSocketAddress) silent.getLocalSocketAddress(), false),
                  target(refusing(), false)),
              times,
              each -> InitiatingRole.profile(events, peer -> true, each.directTls()));
      assertThatThrownBy(() -> result.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(ConnectFailure.class)
          .hasMessageContaining("port " + silent.getLocalPort() + "): no answer in time")
          .hasMessageContaining("): connection refused");
      assertThat(server.net.stats().connectionsOpen()).isZero();
      assertThat(events).isEmpty();
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }
}
