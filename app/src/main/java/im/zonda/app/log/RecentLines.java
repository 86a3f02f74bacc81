package im.zonda.app.log;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The last lines that were logged, as they were written. Any thread may call.
public final class RecentLines {
  /// The most lines, and the most bytes of them.
  public static final int MOST = 500;

  private static final int MOST_BYTES = 1 << 20;

  /// A line.
  ///
  /// @param number its number, from 1; no two have the same
  /// @param bytes the line in UTF-8
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Line(long number, Instant time, Level level, byte[] bytes) {}

  private final Deque<Line> lines = new ArrayDeque<>();
  private long last;
  private int size;

  RecentLines() {
    // Loads the class: there may be no file left to open when a line is logged.
    lines.addLast(new Line(0, Instant.EPOCH, Level.OFF, new byte[0]));
    lines.clear();
  }

  synchronized void add(Instant time, Level level, byte[] bytes) {
    lines.addLast(new Line(++last, time, level, bytes));
    size += bytes.length;
    while (lines.size() > MOST || (size > MOST_BYTES && lines.size() > 1)) {
      size -= lines.removeFirst().bytes().length;
    }
    notifyAll();
  }

  /// The lines after one, the oldest first.
  ///
  /// @param number the number of that line; 0 for all
  public synchronized List<Line> after(long number) {
    List<Line> found = new ArrayList<>();
    for (Line line : lines) {
      if (line.number() > number) {
        found.add(line);
      }
    }
    return found;
  }

  /// Waits until there is a line after one, or the time is over.
  public synchronized void await(long number, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = time.toMillis();
    while (last <= number && left > 0) {
      wait(left);
      left = Duration.ofNanos(end - System.nanoTime()).toMillis();
    }
  }

  /// The same as [#after]; waits until there is one.
  public synchronized List<Line> await(long number) throws InterruptedException {
    while (last <= number) {
      wait();
    }
    return after(number);
  }
}
