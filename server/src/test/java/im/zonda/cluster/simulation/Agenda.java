package im.zonda.cluster.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// What happens when: simulated time in milliseconds, and the order of events.
final class Agenda {
  private record Event(long time, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;
  private long steps;

  Agenda(long seed) {
    this.random = new SplittableRandom(seed);
  }

  long now() {
    return now;
  }

  /// The number of events that have happened.
  long steps() {
    return steps;
  }

  /// An event after a time.
  void after(long delay, Runnable action) {
    at(now + delay, action);
  }

  void at(long time, Runnable action) {
    events.add(new Event(Math.max(time, now), ++order, action));
  }

  /// A random time between these, both included.
  long between(long least, long most) {
    return random.nextLong(least, most + 1);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /// Runs events for a time.
  void run(long duration) {
    long end = now + duration;
    while (!events.isEmpty() && events.element().time() <= end) {
      Event event = events.remove();
      now = event.time();
      steps++;
      event.action().run();
    }
    now = end;
  }

  /// A queue whose events keep their order, though each has a delay of its own.
  final class Fifo {
    private long last;

    void after(long delay, Runnable action) {
      last = Math.max(last, now + delay);
      at(last, action);
    }
  }

  Fifo fifo() {
    return new Fifo();
  }
}
