package im.zonda.app.noloss;

import im.zonda.app.control.ApiClient;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.testkit.database.Signals;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The packaged server on one data folder, through many lives. Used by one thread.
public final class KilledServer implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  /// The time, the level, and the event with its fields.
  private static final Pattern ERROR = Pattern.compile("\\S+ ERROR .*");

  private static final long STOP_SECONDS = 20;

  /// So that clients that read slowly exceed them.
  private static final String SHORT_QUEUES =
      """
      outbound-bytes = "256KiB"
      unacknowledged-bytes = "256KiB"
      unacknowledged-stanzas = 1000
      client.max-bytes = "128KiB"
      """;

  /// The product that is tested.
  public static final Path PRODUCT = Path.of("target", "zonda").toAbsolutePath();

  private final Path folder;
  private final String domain;
  private final Path log;
  private final ServerLives lives = new ServerLives();
  private final List<Long> readyMillis = new ArrayList<>();
  private Path product = PRODUCT;
  private @Nullable Process process;

  /// A server that does not run yet.
  ///
  /// @param folder an empty folder for its configuration, data and log
  /// @param durable the configuration's `storage.durable`
  /// @param storage more lines for `[storage]`
  public KilledServer(Path folder, boolean durable, String storage) throws IOException {
    this(folder, NoLossPlan.DOMAIN, durable, SHORT_QUEUES, storage);
  }

  /// A server of a domain that does not run yet.
  ///
  /// @param limits more lines for `[limits]`
  /// @param more more lines for `[storage]`, and more sections
  public KilledServer(Path folder, String domain, boolean durable, String limits, String more)
      throws IOException {
    this.folder = folder;
    this.domain = domain;
    this.log = folder.resolve("server.log");
    QuickStarts.prepare();
    Files.writeString(
        folder.resolve("zonda.toml"),
        """
        hosts = ["%s"]
        data = "data"
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = ["127.0.0.1:0"]
        listen-tls = []
        plaintext = "loopback"
        [limits]
        offline-messages = 10000000
        %s
        [rooms]
        message-rate = 0
        [storage]
        durable = %s
        %s
        """
            .formatted(domain, limits, durable, more));
  }

  /// Has it run another build from its next start on.
  ///
  /// @param build the folder of a product
  public void runs(Path build) throws IOException {
    QuickStarts.prepare(build);
    product = build;
  }

  /// The build that it runs from its next start on.
  public Path product() {
    return product;
  }

  /// Adds accounts, while it does not run.
  public void addAccounts(List<String> names) throws IOException, InterruptedException {
    Path csv =
        Files.writeString(
            folder.resolve("accounts.csv"),
            names.stream()
                .map(name -> name + "@" + domain + "," + NoLossPlan.PASSWORD + "\n")
                .collect(Collectors.joining()));
    Process adding = launch("user", "add", "--from", csv.toString()).start();
    String said = new String(adding.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (adding.waitFor() != 0) {
      throw new IOException("the accounts are not added: " + said + Files.readString(log));
    }
  }

  /// Starts it and waits until it is ready.
  public void start() throws IOException {
    long begin = System.nanoTime();
    Process started = launch("start").start();
    process = started;
    BufferedReader reader = started.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      said.append(line).append('\n');
      Matcher matcher = ADDRESS.matcher(line);
      if (matcher.find()) {
        readyMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        int port = Integer.parseInt(matcher.group(1));
        lives.ready(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        // Nobody reads what it says later, and it must not wait for a reader.
        Thread.ofVirtual().start(() -> drain(reader));
        return;
      }
    }
    throw new IOException("the server does not start: " + said + Files.readString(log));
  }

  private static void drain(BufferedReader reader) {
    try (reader) {
      reader.lines().forEach(line -> {});
    } catch (IOException | UncheckedIOException e) {
      // The server has ended.
    }
  }

  /// Kills it (SIGKILL).
  public void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      lives.killing();
      running.destroyForcibly().waitFor();
      process = null;
    }
  }

  /// Tells it to stop and kills it a moment later, if it still runs then.
  void killWhileStopping(long millis) throws InterruptedException {
    Process running = process;
    if (running != null) {
      lives.killing();
      running.destroy();
      running.waitFor(millis, TimeUnit.MILLISECONDS);
      kill();
    }
  }

  /// Starts it and kills it a moment later, most likely before it is ready. Clients are not told
  /// its address.
  void killWhileStarting(long millis) throws IOException, InterruptedException {
    killWhileStarting(millis, () -> {});
  }

  /// Starts it and kills it a moment later.
  ///
  /// @param announced run before the kill
  void killWhileStarting(long millis, Runnable announced) throws IOException, InterruptedException {
    Process started =
        launch("start").redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    process = started;
    started.waitFor(millis, TimeUnit.MILLISECONDS);
    announced.run();
    kill();
  }

  /// Stops it in the proper way (SIGTERM).
  ///
  /// @return whether it ended in time by itself; if not, it is killed
  public boolean stop() throws InterruptedException {
    Process running = process;
    if (running == null) {
      return true;
    }
    lives.stopping();
    running.destroy();
    boolean ended = running.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    if (ended) {
      process = null;
    } else {
      kill();
    }
    return ended;
  }

  /// Suspends its process (SIGSTOP).
  public void suspend() {
    signal("STOP");
  }

  /// Lets its process run again (SIGCONT).
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    Process running = process;
    if (running != null) {
      Signals.send(running.pid(), name);
    }
  }

  /// The operations of the running server.
  public OperationRunner operations() {
    return new RunningServerRunner(new ApiClient(folder.resolve("data")));
  }

  /// Lets it live that long.
  ///
  /// @return false if it has ended by itself
  public boolean lives(long millis) throws InterruptedException {
    Process running = process;
    return running != null && !running.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /// Where it is.
  public ServerLives lives() {
    return lives;
  }

  /// The milliseconds from each start of the process until it was ready.
  List<Long> readyMillis() {
    return List.copyOf(readyMillis);
  }

  /// The log's lines that tell of an error.
  public List<String> errors() throws IOException {
    return errors(log);
  }

  /// How often an event is in the log.
  public long count(String event) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(event)).count();
    }
  }

  /// The lines of a log that tell of an error, each with the line about its cause if there is one.
  public static List<String> errors(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> errors = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (ERROR.matcher(lines.get(i)).matches()) {
        String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
        errors.add(lines.get(i) + (next.startsWith(" ") ? ": " + next.strip() : ""));
      }
    }
    return errors;
  }

  private ProcessBuilder launch(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", folder.resolve("zonda.toml").toString()));
    return launcher(product, all.toArray(String[]::new))
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
  }

  /// Runs a command of a product.
  static ProcessBuilder launcher(Path product, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(product.resolve("zonda").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("ZONDA_JAVA", System.getProperty("java.home"));
    // Lives are short: what the second compiler would gain comes too late.
    builder.environment().put("ZONDA_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return builder;
  }

  /// Kills it if it runs.
  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
