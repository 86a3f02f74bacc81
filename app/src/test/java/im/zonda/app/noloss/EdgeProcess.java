package im.zonda.app.noloss;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The packaged edge as a process. Used by one thread.
public final class EdgeProcess implements AutoCloseable {
  /// Where it listens for clients; the first line names the cores.
  private static final Pattern CLIENTS = Pattern.compile("clients.*?127\\.0\\.0\\.1:(\\d+)");

  private final Path configuration;
  private final Path log;
  private Path product = KilledServer.PRODUCT;
  private @Nullable Process process;

  /// An edge that does not run yet.
  ///
  /// @param certificates whose core it trusts, and its own certificates
  /// @param corePorts where its cores accept it
  public EdgeProcess(
      Path folder, String name, EdgeCertificates certificates, List<Integer> corePorts)
      throws IOException {
    this.log = folder.resolve(name + ".log");
    this.configuration =
        Files.writeString(
            folder.resolve(name + ".toml"),
            """
            [edge]
            %s
            certificate = "%s"
            key = "%s"
            ca = "%s"
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = []
            [tls]
            certificate = "%s"
            key = "%s"
            """
                .formatted(
                    cores(corePorts),
                    certificates.edge().certificate(),
                    certificates.edge().key(),
                    certificates.edge().authority(),
                    certificates.host().certificate(),
                    certificates.host().key()));
  }

  private static String cores(List<Integer> ports) {
    return ports.size() == 1
        ? "core = \"localhost:" + ports.getFirst() + '"'
        : ports.stream()
            .map(port -> "\"localhost:" + port + '"')
            .collect(Collectors.joining(", ", "cores = [", "]"));
  }

  /// Has it run another build from its next start on.
  public void runs(Path build) throws IOException {
    QuickStarts.prepare(build);
    product = build;
  }

  /// Starts it and waits until it listens.
  public InetSocketAddress start() throws IOException {
    ProcessBuilder builder =
        KilledServer.launcher(product, "edge", "--config", configuration.toString())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Process started = builder.start();
    process = started;
    BufferedReader reader = started.inputReader(StandardCharsets.UTF_8);
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      Matcher matcher = CLIENTS.matcher(line);
      if (matcher.find()) {
        Thread.ofVirtual().start(() -> drain(reader));
        return new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(matcher.group(1)));
      }
    }
    throw new IOException("the edge does not start: " + Files.readString(log));
  }

  private static void drain(BufferedReader reader) {
    try (reader) {
      reader.lines().forEach(line -> {});
    } catch (IOException | UncheckedIOException e) {
      // The edge has ended.
    }
  }

  /// Kills it (SIGKILL).
  public void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
      process = null;
    }
  }

  /// Whether it runs.
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /// Its log; there is none before its first start.
  public Path log() {
    return log;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
