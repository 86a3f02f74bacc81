package im.zonda.bench.room;

import im.zonda.bench.client.StampScanner;
import im.zonda.bench.measure.LatencyHistogram;
import im.zonda.bench.measure.Rate;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Occupants who send messages at a fixed rate (open loop). All send equally often, so larger rooms
/// get more messages.
public final class RoomTraffic {
  private static final long SEED = 45;
  private static final long AFTERWARDS_MILLIS = 10_000;

  /// The result.
  ///
  /// @param messages that were due in the counted time
  /// @param expected copies of them that should arrive
  /// @param copies copies that arrived
  /// @param times of those whose times were taken
  /// @param seconds the counted time
  /// @param micros the server's processor time for them, in microseconds; negative if unknown
  public record Report(
      long messages,
      long expected,
      long copies,
      LatencyHistogram times,
      double seconds,
      long micros) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d messages, %d copies of %d that were expected (%.0f/s): %s; server CPU %s us/copy",
          messages,
          copies,
          expected,
          copies / seconds,
          times,
          micros < 0
              ? "unknown"
              : String.format(Locale.ROOT, "%.2f", (double) micros / Math.max(1, copies)));
    }
  }

  /// Sources of the figures.
  ///
  /// @param times the times of what is due in the span
  /// @param copies counts all that come, or all of the span
  /// @param micros the server's processor time so far; negative if unknown
  public record Watch(LatencyHistogram times, LongSupplier copies, LongSupplier micros) {}

  private final List<RoomClient> people;
  private final int[] copies;
  private final double rate;
  private final String rest;
  private final Random random = new Random(SEED);

  /// @param people the occupants, in the order of the rooms
  /// @param sizes the number of occupants of each room
  /// @param options of which the copies per second and the bytes of a body count
  public RoomTraffic(List<RoomClient> people, int[] sizes, RoomOptions options) {
    this.people = people;
    this.copies = new int[people.size()];
    int person = 0;
    for (int size : sizes) {
      for (int i = 0; i < size; i++) {
        copies[person++] = size;
      }
    }
    this.rate = options.copies() / RoomSizes.copiesPerMessage(sizes);
    this.rest = "x".repeat(Math.max(0, options.load().bytes() - StampScanner.DIGITS - 1));
  }

  /// Messages per second.
  public double rate() {
    return rate;
  }

  /// The measured time, by [System#nanoTime].
  public record Span(long from, long until) {
    /// A span that starts in `warmup` seconds and lasts `seconds`.
    public static Span after(int warmup, int seconds) {
      long from = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmup);
      return new Span(from, from + TimeUnit.SECONDS.toNanos(seconds));
    }

    /// The times of what is due within.
    public LatencyHistogram times() {
      return new LatencyHistogram(from, until);
    }

    public double seconds() {
      return (until - from) / 1e9;
    }
  }

  /// Sends messages until the end of the span or until `over`, then waits for copies in flight. The
  /// caller records the copies.
  public Report talk(Span span, Watch watch, BooleanSupplier over) {
    Rate moments = new Rate(rate);
    long messages = 0;
    long expected = 0;
    long micros = 0;
    long copiesBefore = 0;
    long number = 0;
    for (long due = moments.next();
        due < span.until() && !over.getAsBoolean();
        due = moments.next()) {
      int person = random.nextInt(people.size());
      if (due >= span.from()) {
        if (messages++ == 0) {
          micros = watch.micros().getAsLong();
          copiesBefore = watch.copies().getAsLong();
        }
        expected += copies[person];
      }
      people.get(person).say(due, number++, rest);
    }
    long wanted = copiesBefore + expected;
    for (long waited = 0;
        waited < AFTERWARDS_MILLIS && watch.copies().getAsLong() < wanted;
        waited += 5) {
      Rate.pause(5);
    }
    return new Report(
        messages,
        expected,
        watch.copies().getAsLong() - copiesBefore,
        watch.times(),
        span.seconds(),
        micros < 0 ? -1 : watch.micros().getAsLong() - micros);
  }
}
