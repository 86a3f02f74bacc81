package im.zonda.app.recording;

import im.zonda.operation.Call;
import im.zonda.profile.StanzaCount;
import im.zonda.profile.ThreadTime;
import im.zonda.profile.ThreadTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/// Records what this process does, one recording at a time. Any thread may call; recording blocks.
final class Recorder {
  /// The most bytes of a recording: the oldest part is given up for more.
  private static final long MOST_BYTES = 64L << 20;

  private final AtomicBoolean busy = new AtomicBoolean();
  private final LongSupplier stanzas;

  /// @param stanzas how many stanzas have come in since the start
  Recorder(LongSupplier stanzas) {
    this.stanzas = stanzas;
  }

  /// Reserves the recorder until [#release]; false if it is reserved.
  boolean reserve() {
    return busy.compareAndSet(false, true);
  }

  /// Ends a reservation.
  void release() {
    busy.set(false);
  }

  /// Records for some time.
  ///
  /// @param file is written at the end; only its owner may read it
  /// @throws InterruptedException if the thread was interrupted, and nothing is written
  void record(Duration time, Path file, Call.Progress progress)
      throws IOException, InterruptedException {
    Path raw = PrivateFiles.create(file.resolveSibling(file.getFileName() + ".raw"));
    try (Recording recording = new Recording()) {
      recording.setName("zonda");
      recording.setToDisk(true);
      recording.setMaxSize(MOST_BYTES);
      RecordedEvents.enableIn(recording);
      ThreadTimes before = ThreadTimes.read();
      long stanzasBefore = stanzas.getAsLong();
      recording.start();
      await(time, progress);
      new StanzaCount(stanzas.getAsLong() - stanzasBefore).commit();
      ThreadTimes.read()
          .since(before)
          .forEach((kind, nanos) -> new ThreadTime(kind, nanos).commit());
      recording.stop();
      recording.dump(raw);
      keepAllowed(raw, file);
    } finally {
      Files.deleteIfExists(raw);
    }
  }

  /// The recording of someone else at the same time may have brought other events into the file.
  private static void keepAllowed(Path raw, Path file) throws IOException {
    Path unfinished = PrivateFiles.create(file.resolveSibling(file.getFileName() + ".unfinished"));
    try (RecordingFile recording = new RecordingFile(raw)) {
      recording.write(unfinished, event -> RecordedEvents.mayHave(event.getEventType().getName()));
      Files.move(unfinished, file);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void await(Duration time, Call.Progress progress) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long begin = System.nanoTime();
    long total = Math.max(1, time.toSeconds());
    for (Duration left = time; left.isPositive(); ) {
      progress.at(Math.min(total, time.minus(left).toSeconds()), total, "seconds");
      boolean _ =
          never.await(Math.min(left.toNanos(), TimeUnit.SECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
      left = time.minusNanos(System.nanoTime() - begin);
    }
  }
}
