package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stream.InitiatingRole;
import im.zonda.stream.StreamProfile;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
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
}
