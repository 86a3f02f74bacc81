package im.zonda.plugins.webhooks.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.database.Eventually;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventQueueTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path folder;
  private final Map<String, Long> lost = new ConcurrentHashMap<>();

  private EventQueue open(long bytes, Duration idle) throws IOException {
    return EventQueue.open(
        folder.resolve("queue"),
        new EventQueue.Limits(bytes, Duration.ofMillis(1), idle),
        (events, reason) -> lost.merge(reason, events, Long::sum));
  }

  private EventQueue open() throws IOException {
    return open(64L << 20, NEVER);
  }

  private static QueuedEvent event(int number) {
    return new QueuedEvent(
        Instant.ofEpochMilli(number), ("{\"n\":" + number + "}").getBytes(UTF_8));
  }

  private static void add(EventQueue queue, int from, int to) throws InterruptedException {
    for (int i = from; i <= to; i++) {
      queue.put(event(i));
    }
    queue.flush();
  }

  private static Batch take(EventQueue queue, int most) throws Exception {
    return queue.take(most, 1 << 20, Duration.ZERO);
  }

  private static List<Integer> numbers(Batch batch) {
    return batch.events().stream().map(e -> (int) e.time().toEpochMilli()).toList();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("queue"))) {
      return all.filter(e -> e.toString().endsWith(Segment.ENDING)).sorted().toList();
    }
  }

  private List<Integer> drain(EventQueue queue) throws Exception {
    List<Integer> all = new ArrayList<>();
    while (queue.size() > 0) {
      Batch batch = take(queue, 1_000);
      all.addAll(numbers(batch));
      queue.done(batch);
    }
    return all;
  }

  @Test
  void eventsComeInOrderAndTheSameUntilTheyAreDone() throws Exception {
    try (EventQueue queue = open()) {
      add(queue, 1, 5);
      Batch first = take(queue, 3);
      assertThat(first.sequence()).isEqualTo(1);
      assertThat(numbers(first)).isEqualTo(range(1, 3));
      assertThat(new String(first.events().getFirst().json(), UTF_8)).isEqualTo("{\"n\":1}");
      assertThat(queue.oldest()).isEqualTo(Instant.ofEpochMilli(1));
      assertThat(take(queue, 3)).isSameAs(first);
      queue.done(first);
      Batch second = take(queue, 3);
      assertThat(second.sequence()).isEqualTo(4);
      assertThat(numbers(second)).isEqualTo(range(4, 5));
      assertThat(queue.size()).isEqualTo(2);
      queue.done(second);
      assertThat(queue.size()).isZero();
      assertThat(queue.oldest()).isNull();
    }
  }

  @Test
  void whatIsNotDoneIsThereAfterARestart() throws Exception {
    try (EventQueue queue = open()) {
      add(queue, 1, 5);
      queue.done(take(queue, 2));
      assertThat(numbers(take(queue, 2))).isEqualTo(range(3, 4));
    }
    try (EventQueue queue = open()) {
      add(queue, 6, 7);
      Batch batch = take(queue, 100);
      assertThat(batch.sequence()).isEqualTo(3);
      assertThat(drain(queue)).isEqualTo(range(3, 7));
    }
    try (EventQueue queue = open()) {
      assertThat(queue.size()).isZero();
      add(queue, 8, 8);
      assertThat(take(queue, 100).sequence()).isEqualTo(8);
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void anEventThatWasNotWrittenToItsEndIsCut() throws Exception {
    try (EventQueue queue = open()) {
      add(queue, 1, 3);
    }
    byte[] whole = Files.readAllBytes(files().getFirst());
    int last = whole.length - Segment.size(event(3));
    for (int length = last; length < whole.length; length++) {
      Files.createDirectories(folder.resolve("queue"));
      Path file = folder.resolve("queue").resolve("0000000000000000001" + Segment.ENDING);
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      try (EventQueue queue = open()) {
        assertThat(Files.size(file)).isEqualTo(last);
        add(queue, 4, 4);
        assertThat(drain(queue)).as("cut at %s", length).containsExactly(1, 2, 4);
      }
      Files.delete(folder.resolve("queue/position"));
      for (Path each : files()) {
        Files.delete(each);
      }
    }
    assertThat(lost).containsOnlyKeys("The end of a file of the queue was damaged and is cut.");
  }

  @Test
  void aFileWithoutAWholeHeaderIsRemoved() throws Exception {
    Files.createDirectories(folder.resolve("queue"));
    Path file = folder.resolve("queue").resolve("0000000000000000001" + Segment.ENDING);
    Files.write(file, new byte[7]);
    try (EventQueue queue = open()) {
      assertThat(file).doesNotExist();
      add(queue, 1, 1);
      assertThat(drain(queue)).containsExactly(1);
    }
  }

  @Test
  void damageWhileRunningCostsTheRestOfOneFile() throws Exception {
    try (EventQueue queue = open(1L << 20, NEVER)) {
      int count = 30_000; // several files
      add(queue, 1, count);
      Path first = files().getFirst();
      try (FileChannel channel = FileChannel.open(first, StandardOpenOption.WRITE)) {
        channel.write(java.nio.ByteBuffer.wrap(new byte[] {'?'}), Segment.HEADER + Segment.RECORD);
      }
      Batch next = take(queue, 10);
      long rest = next.sequence() - 1;
      assertThat(rest).isGreaterThan(1);
      assertThat(lost).containsEntry("A file of the queue is damaged.", rest);
      assertThat(drain(queue)).isEqualTo(range((int) rest + 1, count));
    }
  }

  @Test
  void theOldestAreDroppedAndCountedWhenItIsFull() throws Exception {
    int count = 100_000;
    try (EventQueue queue = open(1L << 20, NEVER)) {
      for (int i = 1; i <= count; i++) {
        queue.put(event(i));
        if (i % 1_000 == 0) {
          assertThat(queue.bytes()).isLessThanOrEqualTo(1L << 20);
        }
      }
      queue.flush();
      long dropped = lost.getOrDefault("The queue is full.", 0L);
      assertThat(dropped).isPositive();
      assertThat(queue.size()).isEqualTo(count - dropped);
      assertThat(drain(queue)).isEqualTo(range((int) dropped + 1, count));
    }
  }

  @Test
  void aBatchThatWasTakenIsNotDropped() throws Exception {
    int count = 100_000;
    try (EventQueue queue = open(1L << 20, NEVER)) {
      add(queue, 1, 10);
      Batch held = take(queue, 10);
      add(queue, 11, count);
      assertThat(take(queue, 10)).isSameAs(held);
      queue.done(held);
      long dropped = lost.getOrDefault("The queue is full.", 0L);
      assertThat(drain(queue)).isEqualTo(range((int) dropped + 11, count));
    }
  }

  @Test
  void filesThatAreDoneAreRemoved() throws Exception {
    try (EventQueue queue = open(1L << 20, Duration.ofMillis(1))) {
      add(queue, 1, 10_000);
      assertThat(drain(queue)).hasSize(10_000);
      Eventually.await("the last file is removed", () -> files().isEmpty());
      add(queue, 10_001, 10_002);
      assertThat(take(queue, 5).sequence()).isEqualTo(10_001);
      assertThat(drain(queue)).isEqualTo(range(10_001, 10_002));
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void aDamagedPositionRepeatsAndLosesNothing() throws Exception {
    try (EventQueue queue = open()) {
      add(queue, 1, 4);
      queue.done(take(queue, 2));
    }
    Files.write(folder.resolve("queue/position"), "0123456789abcdef".getBytes(UTF_8));
    try (EventQueue queue = open()) {
      assertThat(drain(queue)).isEqualTo(range(1, 4));
    }
  }

  @Test
  void aDiskThatFailsCostsWhatIsNotDurable() throws Exception {
    try (EventQueue queue = open()) {
      add(queue, 1, 2);
      assertThat(drain(queue)).containsExactly(1, 2);
    }
    Path away = folder.resolve("away");
    try (EventQueue queue = open()) {
      Files.move(folder.resolve("queue"), away);
      for (int i = 3; i <= 5; i++) {
        add(queue, i, i);
      }
      assertThat(lost).containsEntry("The queue cannot be written.", 3L);
      Files.move(away, folder.resolve("queue"));
      add(queue, 6, 7);
      Batch batch = take(queue, 10);
      assertThat(numbers(batch)).containsExactly(6, 7);
      assertThat(batch.sequence()).as("a gap").isEqualTo(6);
      assertThat(files()).hasSize(1);
    }
  }

  @Test
  void rejectedEventsAreKeptWithinBoundsAndComeAgain() throws Exception {
    Files.createDirectories(folder.resolve("queue"));
    RejectedEvents rejected =
        new RejectedEvents(
            folder.resolve("queue"),
            2_000,
            (events, reason) -> lost.merge(reason, events, Long::sum));
    for (int i = 1; i <= 30; i++) {
      rejected.add(new Batch(i, List.of(event(i))), Instant.EPOCH, 400);
    }
    long discarded = lost.getOrDefault("There are too many rejected events.", 0L);
    assertThat(rejected.count()).isEqualTo(30 - discarded);
    RejectedEvents again = new RejectedEvents(folder.resolve("queue"), 2_000, (_, _) -> {});
    assertThat(again.count()).isEqualTo(30 - discarded);
    // The process was killed while it wrote a line.
    Files.writeString(
        folder.resolve("queue").resolve(RejectedEvents.CURRENT),
        "{\"time\":\"1970-01-01T00:00:00Z\",\"rej",
        StandardOpenOption.APPEND);
    try (EventQueue queue = open()) {
      assertThat(again.retry(queue)).isEqualTo(30 - discarded);
      assertThat(drain(queue)).isEqualTo(range((int) discarded + 1, 30));
    }
    assertThat(new RejectedEvents(folder.resolve("queue"), 2_000, (_, _) -> {}).count()).isZero();
  }
}
