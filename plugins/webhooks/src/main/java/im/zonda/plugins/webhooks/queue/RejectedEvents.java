package im.zonda.plugins.webhooks.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Events that a target has rejected, in two files: when the first is full it takes the place of
/// the second. Each line is a JSON object that says when the event happened, when and with which
/// status it was rejected, and what it was.
///
/// One thread at a time; [#count] from any.
public final class RejectedEvents {
  static final String CURRENT = "rejected.jsonl";
  static final String OLDER = "rejected.1.jsonl";

  /// What is being added to the queue again; it remains if the process ends meanwhile.
  static final String RETRIED = "rejected.retried.jsonl";

  private static final String TIME = "{\"time\":\"";
  private static final String EVENT = ",\"event\":";

  private final Path folder;
  private final Losses losses;
  private final AtomicLong count = new AtomicLong();
  private volatile long mostBytes;

  /// Opens the files in a folder, which exists.
  ///
  /// @param mostBytes of both files
  public RejectedEvents(Path folder, long mostBytes, Losses losses) throws IOException {
    this.folder = folder;
    this.mostBytes = mostBytes;
    this.losses = losses;
    for (String each : List.of(CURRENT, OLDER, RETRIED)) {
      count.addAndGet(lines(folder.resolve(each)));
    }
  }

  private static long lines(Path file) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      return lines.count();
    }
  }

  /// Changes the most bytes.
  public void limit(long changed) {
    mostBytes = changed;
  }

  /// How many there are.
  public long count() {
    return count.get();
  }

  /// Adds the events of a batch; durable when the call returns.
  ///
  /// @param now when they were rejected
  /// @param status the status of HTTP
  public synchronized void add(Batch batch, Instant now, int status) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (QueuedEvent each : batch.events()) {
      String start = TIME + each.time() + "\",\"rejected\":\"" + now + "\",\"status\":" + status;
      lines.writeBytes((start + EVENT).getBytes(UTF_8));
      lines.writeBytes(each.json());
      lines.writeBytes("}\n".getBytes(UTF_8));
    }
    Path current = folder.resolve(CURRENT);
    long size = Files.exists(current) ? Files.size(current) : 0;
    if (size > 0 && size + lines.size() > mostBytes / 2) {
      Path older = folder.resolve(OLDER);
      long discarded = lines(older);
      Files.move(current, older, StandardCopyOption.REPLACE_EXISTING);
      count.addAndGet(-discarded);
      losses.lost(discarded, "There are too many rejected events.");
    }
    try (FileOutputStream out = new FileOutputStream(current.toFile(), true)) {
      out.write(lines.toByteArray());
      out.getFD().sync();
    }
    count.addAndGet(batch.events().size());
  }

  /// Adds all events to a queue again, the oldest first, and removes them here. After a crash they
  /// may be in both.
  ///
  /// @return how many
  public synchronized long retry(EventQueue queue) throws IOException, InterruptedException {
    long retried = 0;
    Path moved = folder.resolve(RETRIED);
    retried += retry(moved, queue);
    for (String each : List.of(OLDER, CURRENT)) {
      if (Files.exists(folder.resolve(each))) {
        Files.move(folder.resolve(each), moved, StandardCopyOption.ATOMIC_MOVE);
        retried += retry(moved, queue);
      }
    }
    return retried;
  }

  private long retry(Path file, EventQueue queue) throws IOException, InterruptedException {
    if (!Files.exists(file)) {
      return 0;
    }
    long retried = 0;
    long total = 0;
    for (String line : Files.readAllLines(file, UTF_8)) {
      total++;
      QueuedEvent event = event(line);
      if (event == null) {
        losses.lost(1, "A rejected event cannot be read.");
      } else if (queue.put(event)) {
        retried++;
      } else {
        throw new IOException("the queue is closed");
      }
    }
    queue.flush();
    Files.delete(file);
    count.addAndGet(-total);
    return retried;
  }

  private static @Nullable QueuedEvent event(String line) {
    int quote = line.indexOf('"', TIME.length());
    int event = line.indexOf(EVENT);
    if (!line.startsWith(TIME) || quote < 0 || event < 0 || !line.endsWith("}}")) {
      return null;
    }
    try {
      Instant time = Instant.parse(line.substring(TIME.length(), quote));
      String json = line.substring(event + EVENT.length(), line.length() - 1);
      return new QueuedEvent(time, json.getBytes(UTF_8));
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
