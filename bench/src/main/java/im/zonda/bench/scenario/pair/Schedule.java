package im.zonda.bench.scenario.pair;

import im.zonda.bench.xmpp.ClientLoop;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/// When clients send, decided before anything is sent: an open loop. The schedule of a client
/// depends on nothing but its number and the seed, whatever process and loop it is on.
public final class Schedule {
  private static final double NANOS = 1e9;

  private final int clients;
  private final double rate;
  private final boolean random;
  private final long seed;

  /// @param clients of all processes together
  /// @param rate messages a second of all of them together
  /// @param random whether they come by chance, as a Poisson process; otherwise at equal distances
  /// @param seed what chance begins with
  public Schedule(int clients, double rate, boolean random, long seed) {
    this.clients = clients;
    this.rate = rate;
    this.random = random;
    this.seed = seed;
  }

  /// What is done when a message is due.
  public interface Sender {
    /// Sends, on the client's loop.
    void send(int client, long due);
  }

  /// Runs the schedule on the loops of this process's clients.
  ///
  /// @param byLoop the numbers of the clients of each loop
  /// @param begin by [System#nanoTime]
  /// @param end nothing is due then or later
  /// @return completes at the end; cancelling it ends the schedule
  public CompletableFuture<Void> run(
      Map<ClientLoop, List<Integer>> byLoop, long begin, long end, Sender sender) {
    CompletableFuture<?>[] parts =
        byLoop.entrySet().stream()
            .map(each -> start(each.getKey(), each.getValue(), begin, end, sender))
            .toArray(CompletableFuture[]::new);
    CompletableFuture<Void> all = CompletableFuture.allOf(parts);
    CompletableFuture<Void> result = new CompletableFuture<>();
    var _ =
        all.whenComplete((_, failure) -> {
          if (failure == null) {
            result.complete(null);
          } else {
            result.completeExceptionally(failure);
          }
        });
    var _ =
        result.whenComplete((_, _) -> {
          for (CompletableFuture<?> part : parts) {
            part.cancel(false);
          }
        });
    return result;
  }

  private CompletableFuture<Void> start(
      ClientLoop loop, List<Integer> mine, long begin, long end, Sender sender) {
    Times times = random ? new RandomTimes(mine, begin, end) : new EvenTimes(mine, begin, end);
    LongConsumer action = due -> sender.send(times.sender(), due);
    return loop.pace(times, action);
  }

  /// Times, and whose each is.
  private abstract static class Times implements PrimitiveIterator.OfLong {
    /// The client whose time was returned last.
    abstract int sender();
  }

  /// Client c sends at c, c + n, c + 2n… distances from the beginning.
  private final class EvenTimes extends Times {
    private final int[] mine;
    private final long begin;
    private final long end;
    private long round;
    private int at;
    private int sender;

    EvenTimes(List<Integer> mine, long begin, long end) {
      this.mine = mine.stream().mapToInt(Integer::intValue).toArray();
      this.begin = begin;
      this.end = end;
    }

    private long time() {
      return begin + (long) ((round * clients + mine[at]) * (NANOS / rate));
    }

    @Override
    public boolean hasNext() {
      return mine.length > 0 && time() < end;
    }

    @Override
    public long nextLong() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long time = time();
      sender = mine[at];
      if (++at == mine.length) {
        at = 0;
        round++;
      }
      return time;
    }

    @Override
    int sender() {
      return sender;
    }
  }

  /// Distances of an exponential distribution, and clients by chance.
  private final class RandomTimes extends Times {
    private final int[] mine;
    private final long end;
    private final SplittableRandom chance;
    private final double mean;
    private double next;
    private int sender;

    RandomTimes(List<Integer> mine, long begin, long end) {
      this.mine = mine.stream().mapToInt(Integer::intValue).toArray();
      this.end = end;
      chance = new SplittableRandom(seed * 1_000_003 + (mine.isEmpty() ? 0 : mine.getFirst()));
      mean = NANOS * clients / (rate * Math.max(1, mine.size()));
      next = begin + distance();
    }

    private double distance() {
      return -mean * StrictMath.log(1 - chance.nextDouble());
    }

    @Override
    public boolean hasNext() {
      return mine.length > 0 && next < end;
    }

    @Override
    public long nextLong() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long time = (long) next;
      next += distance();
      sender = mine[chance.nextInt(mine.length)];
      return time;
    }

    @Override
    int sender() {
      return sender;
    }
  }
}
