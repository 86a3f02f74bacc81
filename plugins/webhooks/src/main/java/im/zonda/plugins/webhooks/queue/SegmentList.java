package im.zonda.plugins.webhooks.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of a queue, the oldest first, and how far they are delivered. Guarded by the lock of
/// the queue.
final class SegmentList {
  private final Deque<Segment> segments = new ArrayDeque<>();
  private final Losses losses;
  private long acked = 1;
  private @Nullable Batch held;

  private SegmentList(Losses losses) {
    this.losses = losses;
  }

  /// What another run has left in a folder.
  ///
  /// @param delivered the number of the first event that was not delivered, or less
  static SegmentList recover(Path folder, long delivered, Losses losses) throws IOException {
    SegmentList list = new SegmentList(losses);
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(each -> each.toString().endsWith(Segment.ENDING)).sorted().toList();
    }
    for (Path file : files) {
      long before = Files.size(file);
      Segment segment = Segment.recover(file);
      if (before > (segment == null ? Segment.HEADER : segment.bytes())) {
        losses.lost(0, "The end of a file of the queue was damaged and is cut.");
      }
      if (segment == null || segment.end() <= delivered) {
        Files.delete(file);
      } else {
        list.segments.add(segment);
      }
    }
    long first = list.segments.isEmpty() ? 1 : list.segments.getFirst().first;
    list.acked = Math.max(first, delivered);
    return list;
  }

  /// The number of the first event that is not delivered.
  long acked() {
    return acked;
  }

  /// The number of the event after the last durable one.
  long end() {
    return segments.isEmpty() ? acked : Math.max(acked, segments.getLast().end());
  }

  /// How many events are not delivered.
  long size() {
    return end() - acked;
  }

  /// The size of the files.
  long bytes() {
    long total = 0;
    for (Segment each : segments) {
      total += each.bytes();
    }
    return total;
  }

  /// The batch that was taken and is not done, or null.
  @Nullable Batch held() {
    return held;
  }

  void hold(Batch batch) {
    held = batch;
  }

  void add(Segment segment) {
    segments.add(segment);
  }

  void remove(Segment segment) {
    segments.remove(segment);
  }

  boolean contains(Segment segment) {
    return segments.contains(segment);
  }

  /// The file with the first event that is not delivered, from which the next are read; null if
  /// there is none.
  @Nullable Segment next() {
    for (Segment each : segments) {
      if (each.end() > acked) {
        acked = Math.max(acked, each.first);
        return each;
      }
    }
    return null;
  }

  /// Gives up what is left of a file.
  void skip(Segment damaged) {
    losses.lost(damaged.end() - acked, "A file of the queue is damaged.");
    acked = damaged.end();
  }

  /// A batch is done.
  ///
  /// @return the files that are no longer needed, nor in the list
  List<Segment> done(Batch batch) {
    held = null;
    acked = Math.max(acked, batch.end());
    List<Segment> finished = new ArrayList<>();
    while (segments.size() > 1 && segments.getFirst().end() <= acked) {
      finished.add(segments.removeFirst());
    }
    return finished;
  }

  /// Drops the oldest file, but not the last one, if there would be too many bytes.
  ///
  /// @param more bytes that are not durable yet
  /// @return the file, which is no longer in the list; null if there is room
  @Nullable Segment dropOldest(long more, long mostBytes) {
    if (segments.size() < 2 || bytes() + more <= mostBytes) {
      return null;
    }
    Segment oldest = segments.removeFirst();
    long from = Math.max(acked, oldest.first);
    if (held != null) {
      from = Math.max(from, held.end());
    }
    if (oldest.end() > from) {
      losses.lost(oldest.end() - from, "The queue is full.");
    }
    acked = Math.max(acked, oldest.end());
    return oldest;
  }

  /// Whether there are files, and all their events are done.
  boolean isDone() {
    return !segments.isEmpty() && segments.getLast().end() <= acked && held == null;
  }

  /// All files, which are no longer in the list.
  List<Segment> clear() {
    List<Segment> all = List.copyOf(segments);
    segments.clear();
    return all;
  }
}
