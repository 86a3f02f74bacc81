package im.zonda.app.recording;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.ServerOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Job;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Role;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecordingOperationsTest {
  private static final Caller OWNER = Caller.owner("root");
  private static final String NAME = "2026-11-28T020000Z.jfr";

  @TempDir private Path folder;

  private final FakeClock clock = new FakeClock(Instant.parse("2026-11-28T02:00:00Z"));
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicLong stanzas = new AtomicLong();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private TestServer server;
  private Operations operations;

  @SuppressWarnings("NullAway.Init") // set before each test
  RecordingOperationsTest() {}

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withClock(clock).startInMemory();
    ServerRuntime runtime =
        new ServerRuntime(
            clock, clock, () -> "job" + ids.incrementAndGet(), new SecureRandom(), workers);
    operations = ServerOperations.over(server.server(), server.stores(), runtime).operations();
    server
        .server()
        .catalogue()
        .offer(new RecordingOperations(folder, () -> stanzas.getAndAdd(2_000), clock).offers());
  }

  @AfterEach
  void stop() {
    server.close();
    workers.shutdownNow();
  }

  private Outcome<Nothing> record(String seconds) {
    return operations.run(
        OWNER,
        RecordingOperations.RECORD,
        new RecordingOperations.Wanted(Duration.ofSeconds(Long.parseLong(seconds))));
  }

  private Job job(String id) {
    Outcome<?> outcome = operations.run(OWNER, "job.show", Map.of("job", id));
    return (Job) ((Outcome.Done<?>) outcome).result();
  }

  private Job ended(String id) {
    Eventually.await("the end of the job", () -> job(id).state() != Job.State.RUNNING);
    return job(id);
  }

  private List<String> names() {
    Outcome<RecordingOperations.Listed> outcome =
        operations.run(OWNER, RecordingOperations.LIST, Nothing.NOTHING);
    return ((Outcome.Done<RecordingOperations.Listed>) outcome)
        .result().recordings().stream().map(RecordingOperations.Row::name).toList();
  }

  @Test
  void recordingIsKeptSummedUpAndSent() throws Exception {
    assertThat(record("1")).isEqualTo(new Outcome.Started<>("job1"));
    assertThat(ended("job1").text()).isEqualTo("recorded " + NAME);
    assertThat(names()).containsExactly(NAME);
    Path file = folder.resolve("recordings").resolve(NAME);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    RecordingOperations.Chosen chosen = new RecordingOperations.Chosen(NAME);
    Outcome<Summary> summed = operations.run(OWNER, RecordingOperations.SHOW, chosen);
    Summary summary = ((Outcome.Done<Summary>) summed).result();
    assertThat(summary.stanzas()).isEqualTo(2_000);
    assertThat(summary.seconds()).isPositive();
    assertThat(summary.text()).startsWith("In ").contains("Stanzas: 2000.");

    Outcome<RecordingOperations.Part> sent =
        operations.run(OWNER, RecordingOperations.FILE, chosen);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    ((Outcome.Following<RecordingOperations.Part>) sent)
        .feed()
        .follow(part -> received.writeBytes(Base64.getDecoder().decode(part.base64())));
    assertThat(received.toByteArray()).isEqualTo(Files.readAllBytes(file));
  }

  @Test
  void recordingHasNoPropertiesEvenIfSomeoneElseRecordsThem() throws IOException {
    try (Recording other = new Recording()) {
      other.enable("jdk.InitialSystemProperty");
      other.enable("jdk.InitialEnvironmentVariable");
      other.enable("jdk.JVMInformation");
      other.enable("jdk.SystemProcess");
      other.start();
      Outcome<Nothing> _ = record("1");
      assertThat(ended("job1").state()).isEqualTo(Job.State.DONE);
    }
    Path file = folder.resolve("recordings").resolve(NAME);

    assertThat(RecordingFile.readAllEvents(file))
        .isNotEmpty()
        .allMatch(event -> RecordedEvents.mayHave(event.getEventType().getName()));
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .doesNotContain("java.vm.specification.name")
        .doesNotContain(Objects.requireNonNull(System.getProperty("user.dir")));
  }

  @Test
  void oneRecordingAtATime() {
    Outcome<Nothing> _ = record("600");
    assertThat(record("1")).isEqualTo(Outcome.conflict("A recording goes on already."));
    Outcome<?> _ = operations.run(OWNER, "job.cancel", Map.of("job", "job1"));
    assertThat(ended("job1").state()).isEqualTo(Job.State.CANCELLED);
    assertThat(names()).isEmpty();
    assertThat(record("1")).as("after the first").isInstanceOf(Outcome.Started.class);
    assertThat(ended("job2").state()).isEqualTo(Job.State.DONE);
  }

  @Test
  void oldestRecordingsAreRemoved() throws IOException {
    Path recordings = Files.createDirectory(folder.resolve("recordings"));
    for (int day = 10; day < 22; day++) {
      Files.writeString(recordings.resolve("2026-11-" + day + "T020000Z.jfr"), "old");
    }
    Outcome<Nothing> _ = record("1");
    assertThat(ended("job1").state()).isEqualTo(Job.State.DONE);

    assertThat(names())
        .hasSize(10)
        .startsWith(NAME, "2026-11-21T020000Z.jfr")
        .endsWith("2026-11-13T020000Z.jfr");
  }

  @Test
  void timeIsBounded() {
    for (String seconds : List.of("0", "601", "-5")) {
      assertThat(record(seconds))
          .as(seconds)
          .isEqualTo(Outcome.invalid("time", "A recording takes from 1s to 10m."));
    }
  }

  @Test
  void onlyFilesOfTheFolderAreSentAndOnlyToThoseWhoMay() throws IOException {
    Files.writeString(folder.resolve("zonda.db"), "secret");
    for (String name : List.of("../zonda.db", "zonda.db", "..", "/etc/passwd", "")) {
      assertThat(
              operations.run(OWNER, RecordingOperations.FILE, new RecordingOperations.Chosen(name)))
          .as(name)
          .isInstanceOf(Outcome.Refused.class);
    }
    Caller reader = new Caller("reader", Caller.Via.API, "", new Grant(Role.READ_ONLY, null, null));
    assertThat(
            operations.run(
                reader,
                RecordingOperations.RECORD,
                new RecordingOperations.Wanted(Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.FORBIDDEN));
  }
}
