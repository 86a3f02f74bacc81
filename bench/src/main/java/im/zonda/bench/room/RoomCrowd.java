package im.zonda.bench.room;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Many people who log in and enter rooms, a bounded number at a time. What they do is asked for by
/// one thread, which waits until it is done.
public final class RoomCrowd implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;
  private static final int SAMPLES = 3;

  private final RoomOptions options;
  private final Carrier carrier;
  private final RoomClient.Shared shared;
  private final List<RoomClient> clients = Collections.synchronizedList(new ArrayList<>());
  private final Queue<String> samples = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final Semaphore steps;
  private final Set<String> made = new HashSet<>();
  private volatile LongConsumer copies = due -> {};

  /// A crowd of nobody yet.
  public RoomCrowd(RoomOptions options, Carrier carrier) {
    this.options = options;
    this.carrier = carrier;
    this.steps = new Semaphore(options.window());
    Map<String, byte[]> keys = new ConcurrentHashMap<>();
    this.shared = new RoomClient.Shared(options.load(), keys, options.service());
  }

  /// From now on `heard` is told of each copy of a message, when it was due, by whatever thread.
  public void onCopy(LongConsumer heard) {
    copies = heard;
  }

  /// The people so far, in the order of their numbers.
  public List<RoomClient> clients() {
    return clients;
  }

  /// Errors, and connections that ended.
  public int failures() {
    return failures.get();
  }

  /// Logs so many more in.
  ///
  /// @throws IOException if there is nothing left to connect with
  /// @throws IllegalStateException if the server does not let one in
  public List<RoomClient> logIn(int count) throws IOException {
    List<RoomClient> added = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      RoomClient client = new RoomClient(options.prefix() + clients.size(), shared, new Heard());
      step("log in");
      clients.add(client);
      added.add(client);
      carrier.connect(client);
    }
    allDone("log in");
    return added;
  }

  /// One way into a room.
  public record Way(RoomClient client, String room) {}

  /// All go their ways, in that order, as many at a time as the window allows. Those who make a
  /// room go before all others: until it is made, nobody else may enter.
  public void enter(List<Way> ways) {
    List<Way> making = new ArrayList<>();
    List<Way> following = new ArrayList<>();
    for (Way way : ways) {
      (made.add(way.room()) ? making : following).add(way);
    }
    each(making, "enter", way -> way.client().enter(way.room()));
    each(following, "enter", way -> way.client().enter(way.room()));
  }

  /// They leave their rooms.
  public void leave(List<RoomClient> leaving) {
    each(leaving, "leave", RoomClient::leave);
  }

  private <T> void each(List<T> things, String what, Consumer<T> action) {
    for (T thing : things) {
      step(what);
      action.accept(thing);
    }
    allDone(what);
  }

  /// Fills rooms with people: the first of each room, who makes it, then the second of each…
  public static List<Way> fill(List<RoomClient> people, int[] sizes, RoomOptions options) {
    List<Way> ways = new ArrayList<>();
    int[] first = new int[sizes.length];
    for (int room = 1; room < sizes.length; room++) {
      first[room] = first[room - 1] + sizes[room - 1];
    }
    for (int place = 0; ways.size() < people.size(); place++) {
      for (int room = 0; room < sizes.length; room++) {
        if (place < sizes[room]) {
          ways.add(new Way(people.get(first[room] + place), options.room(room)));
        }
      }
    }
    return ways;
  }

  private void step(String what) {
    take(1, what);
  }

  /// All that was begun has come to its end.
  private void allDone(String what) {
    take(options.window(), what);
    steps.release(options.window());
    if (failures.get() > 0) {
      throw new IllegalStateException(failures + " failed to " + what + ": " + samples);
    }
  }

  private void take(int count, String what) {
    try {
      if (!steps.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "nobody has managed to " + what + " for minutes; " + failures + " failed: " + samples);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// What went wrong, for people; null if nothing did.
  public @Nullable String trouble() {
    return failures.get() == 0 ? null : failures + " failures, such as " + samples;
  }

  @Override
  public void close() {
    for (RoomClient client : List.copyOf(clients)) {
      client.close();
    }
    carrier.close();
  }

  private final class Heard implements RoomClient.Events {
    @Override
    public void online(RoomClient client) {
      steps.release();
    }

    @Override
    public void entered(RoomClient client) {
      steps.release();
    }

    @Override
    public void left(RoomClient client) {
      steps.release();
    }

    @Override
    public void copy(RoomClient client, long due) {
      copies.accept(due);
    }

    @Override
    public void failed(RoomClient client, String what) {
      failures.incrementAndGet();
      if (samples.size() < SAMPLES) {
        samples.add(what);
      }
      steps.release();
    }
  }
}
