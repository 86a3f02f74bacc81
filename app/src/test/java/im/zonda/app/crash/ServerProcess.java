package im.zonda.app.crash;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A [CrashingServer] seen from outside.
public final class ServerProcess {
  private final Process process;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final Thread reader;

  /// Starts it and waits until it listens. It ends when its heap is full, as the product does.
  ///
  /// @param heap megabytes of heap
  /// @param committed told the id of every message that is durable
  public ServerProcess(Path data, Path errors, int heap, int accounts, Consumer<String> committed)
      throws Exception {
    this(data, errors, heap, accounts, committed, List.of());
  }

  /// @param launcher what comes before the command
  ServerProcess(
      Path data,
      Path errors,
      int heap,
      int accounts,
      Consumer<String> committed,
      List<String> launcher)
      throws Exception {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + heap + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            CrashingServer.class.getName(),
            data.toString(),
            Integer.toString(accounts)));
    process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    reader = Thread.ofPlatform().daemon().start(() -> read(committed));
    port.get(60, TimeUnit.SECONDS);
  }

  private void read(Consumer<String> committed) {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // The last line may be cut by the kill; what is cut was not promised.
        if (line.startsWith(CrashingServer.PORT)) {
          port.complete(Integer.parseInt(line.substring(CrashingServer.PORT.length())));
        } else if (line.startsWith(CrashingServer.COMMITTED)) {
          committed.accept(line.substring(CrashingServer.COMMITTED.length()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      port.completeExceptionally(new IllegalStateException("the server has ended"));
    }
  }

  /// Where it listens.
  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port.join());
  }

  /// A client that is bound.
  public ScriptedClient login(String jid) throws IOException {
    ScriptedClient client = new ScriptedClient(SocketWire.connect(address()));
    return client.login(
        Login.of(jid, TestServer.PASSWORD)
            .withSecurity(Login.Security.NONE)
            .withMechanism("SCRAM-SHA-1"));
  }

  /// Whether it still runs.
  public boolean isAlive() {
    return process.isAlive();
  }

  /// Kills it without warning (SIGKILL) and returns once it is dead and all it said has been read.
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
  }
}
