package im.zonda.cluster.epoch;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// Events in the order of simulated time, in milliseconds, and the randomness of a seed.
final class SimulatedTime {
  private record Event(long time, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  SimulatedTime(long seed) {
    this.random = new SplittableRandom(seed);
  }

  long now() {
    return now;
  }

  /// Runs an action after a random delay between these, both included.
  void after(long least, long most, Runnable action) {
    events.add(new Event(now + between(least, most), ++order, action));
  }

  long between(long least, long most) {
    return random.nextLong(least, most + 1);
  }

  /// A number below `bound`.
  int number(int bound) {
    return random.nextInt(bound);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /// Runs all events of the next `duration` milliseconds.
  void run(long duration) {
    long end = now + duration;
    while (!events.isEmpty() && events.element().time() <= end) {
      Event event = events.remove();
      now = event.time();
      event.action().run();
    }
    now = end;
  }
}
