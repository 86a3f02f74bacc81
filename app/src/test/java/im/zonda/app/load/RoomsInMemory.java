package im.zonda.app.load;

import com.sun.management.OperatingSystemMXBean;
import im.zonda.app.StandardModules;
import im.zonda.bench.measure.LatencyHistogram;
import im.zonda.bench.measure.Rate;
import im.zonda.bench.measure.ServerMemory;
import im.zonda.bench.room.RoomChat;
import im.zonda.bench.room.RoomClients;
import im.zonda.bench.room.RoomOptions;
import im.zonda.bench.room.RoomTraffic;
import im.zonda.config.ServerConfig;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;

/// More people in rooms than one process can have sockets: a server in this process, whole but for
/// its network. Tells what a session and an occupant take of the heap, and what a copy costs.
final class RoomsInMemory {
  /// For each occupant whose times are taken, this many do not read the messages.
  private static final int READERS = 16;

  private static final long REST_MILLIS = 3_000;

  private final RoomOptions options;
  private final PrintStream out;

  private RoomsInMemory(RoomOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /// Runs the load and prints the report.
  public static void main(String[] args) throws IOException {
    try {
      run(System.out, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /// Runs the load that the arguments ask for ([RoomOptions]) and prints the report.
  ///
  /// @throws IOException if there is no place for the server's data
  static void run(PrintStream out, String... args) throws IOException {
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .with("c2s.plaintext", ServerConfig.Plaintext.LOOPBACK)
            // Clients that do not read could not answer a ping.
            .with("limits.idleTime", Duration.ofDays(1));
    RoomOptions options = RoomOptions.parse(List.of(args));
    try (TestServer server = plan.startOnSockets()) {
      server.accounts(
          IntStream.range(0, options.sessions())
              .mapToObj(i -> options.prefix() + i + "@" + options.load().domain())
              .toList());
      new RoomsInMemory(options, out).run(server);
    }
  }

  private void run(TestServer server) throws IOException {
    int[] sizes = options.sizes();
    out.println(RoomChat.describe(sizes));
    int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    MemoryConnector connector = new MemoryConnector(server.server().streams(), loops);
    try (RoomClients crowd = new RoomClients(options, connector)) {
      ServerMemory.Heap empty = heap(connector);
      step("log in", () -> crowd.logIn(options.sessions()));
      ServerMemory.Heap alone = heap(connector);
      grown("one session, with its client", empty, alone);
      step("enter", () -> crowd.enter(RoomClients.fill(crowd.clients(), sizes, options)));
      ServerMemory.Heap inside = heap(connector);
      grown("one occupant", alone, inside);
      atRest();
      connector.readOneOf(READERS);
      talk(crowd, connector, sizes);
      String trouble = crowd.trouble();
      if (trouble != null) {
        out.println(trouble);
      }
    }
  }

  private void talk(RoomClients crowd, MemoryConnector connector, int[] sizes) {
    RoomTraffic talk = new RoomTraffic(crowd.clients(), sizes, options);
    RoomTraffic.Span span =
        RoomTraffic.Span.after(options.load().warmup(), options.load().seconds());
    LatencyHistogram times = span.times();
    crowd.onCopy(times::record);
    long thread = Thread.currentThread().threadId();
    AtomicLong loopsBefore = new AtomicLong(-1);
    RoomTraffic.Watch watch =
        new RoomTraffic.Watch(
            times,
            connector::messages,
            () -> {
              loopsBefore.compareAndSet(-1, connector.cpuMicros());
              // What the one who talks costs is not the server's.
              return processMicros() - ownMicros(thread);
            });
    RoomTraffic.Report report = talk.talk(span, watch, () -> false);
    out.printf(
        Locale.ROOT,
        "%s, of which the loops %.2f; times of one reader in %d%n",
        report,
        (double) (connector.cpuMicros() - loopsBefore.get()) / Math.max(1, report.copies()),
        READERS);
  }

  /// The cost of idle connections is a part of the price of a copy, the larger, the fewer messages
  /// are sent.
  private void atRest() {
    long before = processMicros();
    Rate.pause(REST_MILLIS);
    double micros = processMicros() - before;
    out.printf(
        Locale.ROOT,
        "at rest: %.4f cores, which is %.2f us for each of %d copies/s%n",
        micros / 1e3 / REST_MILLIS,
        micros * 1e3 / REST_MILLIS / options.copies(),
        options.copies());
  }

  private interface Action {
    void run() throws IOException;
  }

  private void step(String what, Action action) throws IOException {
    long before = processMicros();
    long start = System.nanoTime();
    action.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    Rate.pause(REST_MILLIS);
    out.printf(
        Locale.ROOT,
        "%s: %d in %.2f s, CPU with the clients' %.3f ms each%n",
        what,
        options.sessions(),
        seconds,
        (processMicros() - before) / 1e3 / options.sessions());
  }

  private void grown(String what, ServerMemory.Heap before, ServerMemory.Heap now) {
    out.printf(
        Locale.ROOT,
        "%s: %,.0f bytes (live heap %,d); by class:%n%s%n",
        what,
        (double) (now.bytes() - before.bytes()) / options.sessions(),
        now.bytes(),
        now.growth(before, options.sessions()));
  }

  private static long processMicros() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return TimeUnit.NANOSECONDS.toMicros(system.getProcessCpuTime());
  }

  private static long ownMicros(long thread) {
    return TimeUnit.NANOSECONDS.toMicros(
        ManagementFactory.getThreadMXBean().getThreadCpuTime(thread));
  }

  /// What is alive in this process's heap after full collections.
  private static ServerMemory.Heap heap(MemoryConnector connector) {
    connector.rest();
    // Twice: what a cleaner frees is gone only the second time.
    histogram();
    return ServerMemory.parse(histogram().lines().toList()).orElseThrow();
  }

  private static String histogram() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("this Java runtime shows no histogram of its heap", e);
    }
  }
}
