package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.hosts.ConfigSource;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server is started again within its process, or ends it.
@Timeout(120)
class ServerProcessTest {
  @TempDir private Path folder;

  private ConfigSource source(String more) throws Exception {
    Path file = folder.resolve("zonda.toml");
    Files.writeString(
        file,
        """
        hosts = ["localhost"]
        data = "data"
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = ["127.0.0.1:0"]
        listen-tls = []
        """
            + more);
    return new ConfigFile(file);
  }

  @Test
  void aShutdownEndsTheProcess() throws Exception {
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    ConfigSource source = source("");
    try (ServerProcess process = new ServerProcess(source, exit::complete)) {
      process.start(source.read().config());
      process.stop(false);
      assertThat(exit.get(60, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void aRestartReadsTheConfigurationAgain() throws Exception {
    ConfigSource source = source("");
    try (ServerProcess process =
        new ServerProcess(
            source,
            code -> {
              throw new AssertionError("it goes on");
            })) {
      RunningServer before = process.start(source.read().config());
      int port = port(before);
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      source("event-loops = 1\n");
      process.restartNow();
      RunningServer after = Objects.requireNonNull(process.running());
      assertThat(after).isNotSameAs(before);
      new Socket(InetAddress.getLoopbackAddress(), port(after)).close();
    }
  }

  @Test
  void aWrongConfigurationLeavesTheServerAsItIs() throws Exception {
    ConfigSource source = source("");
    try (ServerProcess process = new ServerProcess(source, code -> {})) {
      RunningServer before = process.start(source.read().config());
      source("no-such-key = 1\n");
      assertThat(process.restartNow()).isFalse();
      assertThat(process.running()).isSameAs(before);
      new Socket(InetAddress.getLoopbackAddress(), port(before)).close();
    }
  }

  /// Nobody who administers from afar is locked out by an address that cannot be used.
  @Test
  void aConfigurationThatCannotStartIsNotUsed() throws Exception {
    ConfigSource source = source("");
    try (ServerProcess process = new ServerProcess(source, code -> {});
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      RunningServer before = process.start(source.read().config());
      source("[s2s]\nenabled = true\nlisten = [\"127.0.0.1:" + taken.getLocalPort() + "\"]\n");
      assertThat(process.restartNow()).isTrue();
      RunningServer after = Objects.requireNonNull(process.running());
      assertThat(after).isNotSameAs(before);
      new Socket(InetAddress.getLoopbackAddress(), port(after)).close();
    }
  }

  private static int port(RunningServer server) {
    return server.listeners().getFirst().address().getPort();
  }
}
