package im.zonda.bench.scenario.occupant;

import im.zonda.bench.trace.Trace.Stay;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/// One stay of a player in a room. Confined to the loop of the player.
final class Attendance {
  /// How a copy stands to those before it.
  enum Order {
    /// Later than all of the same sender.
    NEXT,
    /// The same as the last of the sender.
    DOUBLED,
    /// Earlier than the last of the sender.
    LATE
  }

  private final Stay stay;
  private final long certainUntil;
  private final int[] lastOfSender;
  private final CompletableFuture<Void> entered = new CompletableFuture<>();

  /// What is to be said as soon as the player is in the room.
  private final Queue<Integer> unsaid = new ArrayDeque<>();

  private long certainFrom = Long.MAX_VALUE;
  private final LongAdder certain;
  private int retries;

  /// @param certain counts copies that had to arrive
  Attendance(Stay stay, Timetable timetable, LongAdder certain) {
    this.certain = certain;
    this.stay = stay;
    this.certainUntil = timetable.certainUntil(stay.until());
    this.lastOfSender = new int[timetable.visitors(stay.room())];
    Arrays.fill(lastOfSender, -1);
  }

  Stay stay() {
    return stay;
  }

  int room() {
    return stay.room();
  }

  /// Completes when the room has sent the player's own presence.
  CompletableFuture<Void> entered() {
    return entered;
  }

  boolean isIn() {
    return entered.isDone() && !entered.isCompletedExceptionally();
  }

  Queue<Integer> unsaid() {
    return unsaid;
  }

  /// The player is in the room.
  ///
  /// @param millis of the trace; what is due from then on must arrive
  void begin(long millis) {
    certainFrom = millis;
    entered.complete(null);
  }

  /// A copy of a message has arrived.
  ///
  /// @param place of the sender among the visitors
  /// @param millis when it was due
  Order arrived(int message, int place, long millis) {
    int last = lastOfSender[place];
    if (message == last) {
      return Order.DOUBLED;
    }
    if (millis >= certainFrom && millis <= certainUntil) {
      certain.increment();
    }
    if (message < last) {
      return Order.LATE;
    }
    lastOfSender[place] = message;
    return Order.NEXT;
  }

  /// How many copies must arrive during the stay.
  long expected(Timetable timetable) {
    return isIn() ? timetable.countSaid(stay.room(), certainFrom, certainUntil) : 0;
  }

  /// Counts a further attempt to enter.
  ///
  /// @return how many there were
  int retry() {
    return ++retries;
  }
}
