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

/// Clients that log in and enter rooms, a bounded number at a time. Controlled by one thread, which
/// waits for each step.
public final class RoomClients implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;
  private static final int SAMPLES = 3;

  private final RoomOptions options;
  private final Connector connector;
  private final RoomClient.Shared shared;
  private final List<RoomClient> clients = Collections.synchronizedList(new ArrayList<>());
  private final Queue<String> samples = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final Semaphore steps;
  private final Set<String> made = new HashSet<>();
  private volatile LongConsumer copies = due -> {};

  /// Creates an instance without clients.
  public RoomClients(RoomOptions options, Connector connector) {
    this.options = options;
    this.connector = connector;
    this.steps = new Semaphore(options.window());
    Map<String, byte[]> keys = new ConcurrentHashMap<>();
    this.shared = new RoomClient.Shared(options.load(), keys, options.service());
  }

  /// Sets the listener for received copies, called on any thread with the due time of the message.
  public void onCopy(LongConsumer heard) {
    copies = heard;
  }

  /// The clients so far, in the order of their numbers.
  public List<RoomClient> clients() {
    return clients;
  }

  /// Number of errors and ended connections.
  public int failures() {
    return failures.get();
  }

  /// Logs in `count` more clients.
  ///
  /// @throws IOException if the machine has no free port or file descriptor
  /// @throws IllegalStateException if a login fails
  public List<RoomClient> logIn(int count) throws IOException {
    List<RoomClient> added = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      RoomClient client = new RoomClient(options.prefix() + clients.size(), shared, new Heard());
      step("log in");
      clients.add(client);
      added.add(client);
      connector.connect(client);
    }
    allDone("log in");
    return added;
  }

  /// A client and the room that it enters.
  public record Way(RoomClient client, String room) {}

  /// Lets the clients enter in this order, as many at a time as the window allows. Those who create
  /// a room go first, because a locked room cannot be entered.
  public void enter(List<Way> ways) {
    List<Way> making = new ArrayList<>();
    List<Way> following = new ArrayList<>();
    for (Way way : ways) {
      (made.add(way.room()) ? making : following).add(way);
    }
    each(making, "enter", way -> way.client().enter(way.room()));
    each(following, "enter", way -> way.client().enter(way.room()));
  }

  /// Lets the clients leave their rooms.
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

  /// Distributes clients over rooms: the first of each room, who creates it, then the second of
  /// each…
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

  /// Waits until all steps are done.
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

  /// A text about the failures; null if there were none.
  public @Nullable String trouble() {
    return failures.get() == 0 ? null : failures + " failures, such as " + samples;
  }

  @Override
  public void close() {
    for (RoomClient client : List.copyOf(clients)) {
      client.close();
    }
    connector.close();
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
