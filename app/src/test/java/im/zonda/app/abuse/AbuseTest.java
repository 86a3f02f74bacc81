package im.zonda.app.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Abuses a server with a heap of 128 MiB in many ways, one after the other, while ten ordinary
/// users chat: the process lives, every ordinary message arrives, nobody loses the connection, and
/// the memory of the process is bounded. How long the messages took is printed.
///
/// In the suite each abuse is shortened to less than a second, and with `./zonda test --all` to
/// about two; `./zonda test --abuse` runs them in full.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class AbuseTest {
  private static final boolean FULL = Boolean.getBoolean("zonda.abuse.full");

  /// Heap, as much for direct buffers, and what the JVM itself takes: code, classes, collector.
  private static final long RESIDENT_MIB = 128 + 128 + 256;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private static Path folder;

  private static final List<String> REPORT = new ArrayList<>();
  private static @Nullable SmallServer server;
  private static @Nullable OrdinaryUsers users;
  private static int servers;
  private static int runs;

  /// A kind of abuse.
  record Kind(String name, Abuse abuse) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind> abuses() {
    List<String> only = List.of(System.getProperty("zonda.abuse.only", "").split(",", -1));
    return Stream.of(
            new Kind("silent-connections", AbuseTest::connectSilently),
            new Kind("half-handshakes", new HalfHandshakes()),
            new Kind("slow-headers", new SlowHeaders()),
            new Kind("failed-logins", new FailedLogins()),
            new Kind("unfinished-stanzas", AbuseTest::sendUnfinishedStanzas),
            new Kind("many-rooms", new ManyRooms()),
            new Kind("open-rooms", new OpenRooms()),
            new Kind("registrations", new Registrations()),
            new Kind("directed-presences", new DirectedPresences()),
            new Kind("subscription-requests", new SubscriptionRequests()),
            new Kind("large-presences", new LargePresences()),
            new Kind("held-presences", new HeldPresences()),
            new Kind("large-vcards", new LargeVcards()),
            new Kind("private-data", new PrivateData()),
            new Kind("resources", new Resources()),
            new Kind("requests", new Requests()),
            new Kind("archive-queries", new ArchiveQueries()),
            new Kind("block-lists", new BlockLists()),
            new Kind("large-rosters", new LargeRosters()),
            new Kind("offline-messages", new OfflineMessages()),
            new Kind("slow-readers", new SlowReaders()),
            new Kind("detached-sessions", new DetachedSessions()),
            new Kind("growing-stanzas", new GrowingStanzas()),
            new Kind("hard-to-read", new HardToRead()))
        .filter(kind -> only.contains("") || only.contains(kind.name()));
  }

  /// Connections that send nothing, half of them to the port that expects TLS.
  private static void connectSilently(AbuseRun run) throws InterruptedException {
    run.repeat(
        run.size(10_000, 1_500),
        i -> run.connect(i % 2 == 0 ? run.server().address() : run.server().tlsAddress(), 0));
  }

  /// Stanzas that are nearly as large as they may be and never come to their end, on many streams.
  private static void sendUnfinishedStanzas(AbuseRun run) throws InterruptedException {
    String part = "<message to='" + SmallServer.abuser(0) + "'><body>" + "x".repeat(260_000);
    int accounts = run.accounts();
    run.repeat(run.size(10_000, 500), i -> run.login(i % accounts, "r" + i / accounts).send(part));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("abuses")
  void ordinaryUsersChatOn(Kind kind) throws Exception {
    SmallServer abused = startedServer();
    OrdinaryUsers bystanders = startedUsers(abused);
    bystanders.startMeasuring();
    long begin = System.nanoTime();
    String outcome;
    try (AbuseRun run = new AbuseRun(abused, ++runs, FULL)) {
      kind.abuse().run(run);
      int missing = bystanders.awaitArrival(PATIENCE, abused);
      assertThat(abused.isAlive()).as("the server lives").isTrue();
      assertThat(missing)
          .as("messages that have not arrived; %s", bystanders.complaints())
          .isZero();
      outcome = run.toString();
    } finally {
      REPORT.add(
          String.format(
              "%-22s %5.1f s, %s, resident %d MiB",
              kind,
              (System.nanoTime() - begin) / 1e9,
              bystanders.latencies(),
              abused.residentMib()));
    }
    REPORT.add(String.format("%-22s %s", "", outcome));
    assertThat(bystanders.complaints()).isEmpty();
    assertThat(abused.failures()).isEmpty();
    assertThat(abused.residentMib()).isLessThan(RESIDENT_MIB);
  }

  /// The server; a new one if an abuse has ended the one before or hurt its users.
  private static SmallServer startedServer() throws IOException {
    SmallServer running = server;
    OrdinaryUsers present = users;
    if (running != null
        && running.isAlive()
        && present != null
        && present.complaints().isEmpty()
        && running.failures().isEmpty()) {
      return running;
    }
    stop();
    SmallServer next =
        new SmallServer(
            Files.createDirectory(folder.resolve("server" + servers++)), AbuseRun.accounts(FULL));
    server = next;
    return next;
  }

  private static OrdinaryUsers startedUsers(SmallServer running) throws IOException {
    OrdinaryUsers present = users;
    if (present == null) {
      present = new OrdinaryUsers(running);
      users = present;
    }
    return present;
  }

  private static void stop() {
    if (users != null) {
      users.close();
      users = null;
    }
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @AfterAll
  static void report() {
    stop();
    REPORT.forEach(System.out::println);
  }
}
