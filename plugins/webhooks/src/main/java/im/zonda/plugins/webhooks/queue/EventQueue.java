package im.zonda.plugins.webhooks.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Events of one target, in order, in files of a folder. Any thread may add; one takes.
///
/// A thread of the queue hands events to the operating system as they come, and makes them durable
/// once in [Limits#sync]. Only what is durable is taken. A process that is killed loses what was
/// added in the moment before; a machine that fails, what was added since the last sync. What was
/// taken and not acknowledged by [#done] is taken again after a restart.
///
/// If the files would take more than [Limits#bytes], the oldest one is dropped.
public final class EventQueue implements AutoCloseable {
  /// The most bytes that wait to be written.
  static final int MOST_PENDING = 4 * 1024 * 1024;

  private static final long LEAST_SEGMENT = 64 * 1024;
  private static final long MOST_SEGMENT = 8 * 1024 * 1024;
  private static final int SEGMENTS = 8;
  private static final String POSITION = "position";

  /// How long the disk has to take what is left when the queue is closed.
  private static final Duration END = Duration.ofSeconds(5);

  /// Bounds of a queue.
  ///
  /// @param bytes the most bytes of its files, at least 1 MiB
  /// @param sync the least time between two syncs
  /// @param idle how long nothing is added before the last file, when all of it is done, is removed
  public record Limits(long bytes, Duration sync, Duration idle) {
    /// The least bytes.
    public static final long LEAST_BYTES = 1024 * 1024;

    /// @throws IllegalArgumentException if there are too few bytes
    public Limits {
      if (bytes < LEAST_BYTES) {
        throw new IllegalArgumentException("a queue of " + bytes + " bytes");
      }
    }

    long segmentBytes() {
      return Math.clamp(bytes / SEGMENTS, LEAST_SEGMENT, MOST_SEGMENT);
    }
  }

  private final Object lock = new Object();
  private final Path folder;
  private final Losses losses;
  private final Position position;
  private final Thread thread;
  private volatile Limits limits;

  // Guarded by the lock.
  private final SegmentList files;
  private List<QueuedEvent> pending = new ArrayList<>();
  private long pendingBytes;
  private long added;
  private long settled;
  private boolean closed;

  // Of the thread of the queue.
  private @Nullable SegmentWriter writer;
  private long next;
  private long lastSync = System.nanoTime();
  private long lastAppend = System.nanoTime();

  // Of the thread that takes.
  private @Nullable Segment cursor;
  private long cursorOffset;

  private EventQueue(
      Path folder, Limits limits, Losses losses, Position position, SegmentList files) {
    this.folder = folder;
    this.files = files;
    this.next = files.end();
    this.limits = limits;
    this.losses = losses;
    this.position = position;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("webhooks-disk-" + folder.getFileName())
            .unstarted(this::run);
  }

  /// Opens the queue in a folder, which is created if there is none.
  ///
  /// @throws IOException if the files cannot be read
  public static EventQueue open(Path folder, Limits limits, Losses losses) throws IOException {
    Files.createDirectories(folder);
    long delivered = Position.read(folder.resolve(POSITION));
    SegmentList files = SegmentList.recover(folder, delivered, losses);
    Position position = new Position(folder.resolve(POSITION));
    EventQueue queue = new EventQueue(folder, limits, losses, position, files);
    queue.thread.start();
    return queue;
  }

  /// Changes the bounds.
  public void limit(Limits changed) {
    limits = changed;
  }

  /// Adds an event. Does not block; an event for which there is no room in memory, because the disk
  /// is too slow, is lost.
  ///
  /// @return whether it was added
  public boolean offer(QueuedEvent event) {
    synchronized (lock) {
      if (closed) {
        return false;
      }
      if (pendingBytes + Segment.size(event) > MOST_PENDING) {
        losses.lost(1, "The disk is too slow.");
        return false;
      }
      add(event);
      return true;
    }
  }

  /// Adds an event, and waits while there is no room in memory.
  ///
  /// @return false if the queue is closed
  public boolean put(QueuedEvent event) throws InterruptedException {
    synchronized (lock) {
      while (!closed && pendingBytes + Segment.size(event) > MOST_PENDING) {
        lock.wait();
      }
      if (!closed) {
        add(event);
      }
      return !closed;
    }
  }

  private void add(QueuedEvent event) {
    pending.add(event);
    pendingBytes += Segment.size(event);
    added++;
    if (pending.size() == 1) {
      lock.notifyAll();
    }
  }

  /// Waits until what was added before is durable or lost.
  public void flush() throws InterruptedException {
    synchronized (lock) {
      long goal = added;
      while (settled < goal && thread.isAlive()) {
        lock.wait(1_000);
      }
    }
  }

  /// How many events are durable and not done.
  public long size() {
    synchronized (lock) {
      return files.size();
    }
  }

  /// The size of the files.
  public long bytes() {
    synchronized (lock) {
      return files.bytes();
    }
  }

  /// When the oldest of the events that were taken and are not done has happened, or null.
  public @Nullable Instant oldest() {
    synchronized (lock) {
      Batch held = files.held();
      return held == null ? null : held.events().getFirst().time();
    }
  }

  /// Waits for events and takes them, always the same ones until they are done.
  ///
  /// @param most the most events
  /// @param mostBytes the most bytes of JSON, unless one event alone has more
  /// @param gather how long to wait for more
  /// @throws IOException if the files cannot be read
  public Batch take(int most, int mostBytes, Duration gather)
      throws IOException, InterruptedException {
    while (true) {
      Batch batch = held(most, mostBytes, gather);
      if (batch != null) {
        return batch;
      }
    }
  }

  private @Nullable Batch held(int most, int mostBytes, Duration gather)
      throws IOException, InterruptedException {
    Segment from;
    long available;
    long start;
    synchronized (lock) {
      if (files.held() != null) {
        return files.held();
      }
      while (files.size() == 0) {
        lock.wait();
      }
      long deadline = System.nanoTime() + gather.toNanos();
      for (long left = gather.toNanos();
          left > 0 && files.size() < most;
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
      from = files.next();
      if (from == null) {
        return null;
      }
      start = files.acked();
      available = Math.min(most, from.end() - start);
    }
    if (available <= 0) {
      return null; // the file is new
    }
    return read(from, start, available, mostBytes);
  }

  private @Nullable Batch read(Segment from, long start, long most, int mostBytes)
      throws IOException {
    try {
      if (cursor != from) {
        cursorOffset = from.offset(start);
        cursor = from;
      }
      Batch batch = new Batch(start, from.read(cursorOffset, most, mostBytes));
      synchronized (lock) {
        files.hold(batch);
      }
      cursorOffset += batch.events().stream().mapToLong(Segment::size).sum();
      return batch;
    } catch (IOException e) {
      cursor = null;
      synchronized (lock) {
        if (!files.contains(from)) {
          return null; // dropped meanwhile
        }
        if (e instanceof Segment.DamagedException) {
          files.skip(from);
          return null;
        }
      }
      throw e;
    }
  }

  /// The events that were taken last are delivered, or need not be.
  ///
  /// @throws IOException if that cannot be written; after a restart they are delivered again
  public void done(Batch batch) throws IOException {
    List<Segment> finished;
    long reached;
    synchronized (lock) {
      finished = files.done(batch);
      reached = files.acked();
      lock.notifyAll();
    }
    position.write(reached);
    finished.forEach(this::delete);
  }

  private void run() {
    try {
      while (writeGroup()) {}
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // never asked for
    }
  }

  /// Writes what is pending, or syncs what is due, or removes a file that is done.
  ///
  /// @return false once the queue is closed and everything is written
  private boolean writeGroup() throws InterruptedException {
    List<QueuedEvent> group;
    boolean ends;
    synchronized (lock) {
      if (pending.isEmpty() && !closed) {
        long wait = waitNanos();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.timedWait(lock, wait);
        }
      }
      group = pending;
      pending = new ArrayList<>();
      pendingBytes = 0;
      ends = closed;
      lock.notifyAll();
    }
    append(group);
    SegmentWriter current = writer;
    if (current != null && current.unforcedEvents() > 0 && (ends || syncNanos() <= 0)) {
      sync(current);
    }
    if (!group.isEmpty()) {
      lastAppend = System.nanoTime();
    } else if (!ends && System.nanoTime() - lastAppend >= limits.idle().toNanos()) {
      removeDone();
    }
    if (ends && group.isEmpty()) {
      closeWriter();
      return false;
    }
    return true;
  }

  private long waitNanos() {
    SegmentWriter current = writer;
    return current != null && current.unforcedEvents() > 0 ? syncNanos() : limits.idle().toNanos();
  }

  private long syncNanos() {
    return limits.sync().toNanos() - (System.nanoTime() - lastSync);
  }

  private void append(List<QueuedEvent> group) {
    List<QueuedEvent> chunk = new ArrayList<>();
    long chunkBytes = 0;
    for (QueuedEvent each : group) {
      int size = Segment.size(each);
      long begun = writer == null ? Segment.HEADER : writer.bytes();
      if (begun + chunkBytes + size > limits.segmentBytes()) {
        appendChunk(chunk);
        chunk = new ArrayList<>();
        chunkBytes = 0;
        closeWriter();
      }
      chunk.add(each);
      chunkBytes += size;
    }
    appendChunk(chunk);
  }

  private void appendChunk(List<QueuedEvent> chunk) {
    if (chunk.isEmpty()) {
      return;
    }
    long size = chunk.stream().mapToLong(Segment::size).sum();
    dropOldest(size);
    long reached = next + chunk.size();
    try {
      SegmentWriter current = writer;
      if (current == null) {
        current = SegmentWriter.create(folder, next);
        writer = current;
        synchronized (lock) {
          files.add(current.segment());
        }
      }
      current.append(chunk);
    } catch (IOException e) {
      fail(chunk.size());
    }
    next = reached;
  }

  private void dropOldest(long more) {
    while (true) {
      Segment oldest;
      synchronized (lock) {
        long unforced = writer == null ? Segment.HEADER : writer.unforcedBytes();
        oldest = files.dropOldest(unforced + more, limits.bytes());
      }
      if (oldest == null) {
        return;
      }
      delete(oldest);
    }
  }

  private void sync(SegmentWriter current) {
    long events = current.unforcedEvents();
    long bytes = current.unforcedBytes();
    try {
      current.force();
    } catch (IOException e) {
      fail(0);
      return;
    }
    lastSync = System.nanoTime();
    synchronized (lock) {
      current.segment().grow(events, bytes);
      settled += events;
      lock.notifyAll();
    }
  }

  /// The disk has failed. What is not durable is lost, and the next events go to another file.
  ///
  /// @param events how many are lost besides
  private void fail(long events) {
    SegmentWriter current = writer;
    writer = null;
    long lost = events;
    if (current != null) {
      lost += current.unforcedEvents();
      try (current) {
        current.cut(current.segment().bytes());
      } catch (IOException e) {
        // What is there beyond is not read in this run, and delivered by the next one.
        losses.lost(0, "The queue cannot be written.");
      }
    }
    losses.lost(lost, "The queue cannot be written.");
    synchronized (lock) {
      if (current != null && current.segment().count() == 0) {
        files.remove(current.segment());
      }
      settled += lost;
      lock.notifyAll();
    }
    if (current != null && current.segment().count() == 0) {
      delete(current.segment());
    }
  }

  private void closeWriter() {
    SegmentWriter current = writer;
    if (current == null) {
      return;
    }
    if (current.unforcedEvents() > 0) {
      sync(current);
    }
    writer = null;
    try {
      current.close();
    } catch (IOException e) {
      losses.lost(0, "The queue cannot be written.");
    }
  }

  /// Removes the newest file once all its events are done, so that none stay on the disk.
  private void removeDone() {
    synchronized (lock) {
      if (!files.isDone()) {
        return;
      }
      if (writer != null && writer.unforcedEvents() > 0) {
        return;
      }
    }
    closeWriter();
    List<Segment> finished;
    synchronized (lock) {
      finished = files.clear();
    }
    finished.forEach(this::delete);
  }

  private void delete(Segment segment) {
    try {
      Files.deleteIfExists(segment.file);
    } catch (IOException e) {
      losses.lost(0, "A file of the queue cannot be removed.");
    }
  }

  /// Makes durable what was added, and closes the files.
  ///
  /// @throws IOException if that fails
  @Override
  public void close() throws IOException {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    boolean interrupted = false;
    boolean ended = false;
    try {
      ended = thread.join(END);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    position.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    } else if (!ended) {
      throw new IOException("the disk does not answer");
    }
  }
}
