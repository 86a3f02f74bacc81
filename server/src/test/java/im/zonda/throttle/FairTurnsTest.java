package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.session.ClientNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class FairTurnsTest {
  private static final ClientNetwork BUSY = ClientNetwork.of(address("192.0.2.66"));
  private static final ClientNetwork OTHER = ClientNetwork.of(address("198.51.100.1"));

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final LinkedBlockingQueue<String> order = new LinkedBlockingQueue<>();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /// Waits for its turn on a thread of its own.
  private Future<Boolean> submit(FairTurns turns, ClientNetwork network, String name) {
    return threads.submit(() -> {
      boolean granted = turns.acquire(network);
      if (granted) {
        order.add(name);
      }
      return granted;
    });
  }

  /// The same; returns when it waits.
  private Future<Boolean> enqueue(FairTurns turns, ClientNetwork network, String name)
      throws InterruptedException {
    int before = turns.waiting();
    Future<Boolean> turn = submit(turns, network, name);
    awaitWaiting(turns, before + 1);
    return turn;
  }

  private static void awaitWaiting(FairTurns turns, int number) throws InterruptedException {
    while (turns.waiting() != number) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private String next(FairTurns turns) throws InterruptedException {
    turns.release();
    String name = order.poll(20, TimeUnit.SECONDS);
    return name == null ? "nobody" : name;
  }

  @Test
  void row41_oneAddressDoesNotOccupyAllPlaces() throws Exception {
    FairTurns turns = new FairTurns(1, 100);
    assertThat(turns.acquire(BUSY)).isTrue();
    List<Future<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(enqueue(turns, BUSY, "busy"));
    }
    waiting.add(enqueue(turns, OTHER, "other"));

    List<String> served = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      served.add(next(turns));
    }
    assertThat(served).containsExactly("busy", "other", "busy");
    assertThat(waiting.getLast().get()).isTrue();
  }

  @Test
  void row41_whenTheQueueIsFullTheAddressWithTheMostPays() throws Exception {
    FairTurns turns = new FairTurns(1, 3);
    assertThat(turns.acquire(BUSY)).isTrue();
    List<Future<Boolean>> busy = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      busy.add(enqueue(turns, BUSY, "busy" + i));
    }

    assertThat(submit(turns, BUSY, "more").get()).isFalse();
    Future<Boolean> other = submit(turns, OTHER, "other");
    assertThat(busy.get(2).get()).as("the newest of the busy address").isFalse();
    assertThat(turns.waiting()).isEqualTo(3);
    assertThat(next(turns)).isEqualTo("busy0");
    assertThat(next(turns)).isEqualTo("other");
    assertThat(other.get()).isTrue();
  }

  @Test
  void aPlaceIsGivenBack() throws Exception {
    FairTurns turns = new FairTurns(1, 3);
    assertThat(turns.acquire(BUSY)).isTrue();
    turns.release();

    assertThat(turns.acquire(OTHER)).isTrue();
  }

  @Test
  void whoIsInterruptedLeavesNothingBehind() throws Exception {
    FairTurns turns = new FairTurns(1, 3);
    assertThat(turns.acquire(BUSY)).isTrue();
    Future<Boolean> waiting = enqueue(turns, OTHER, "other");

    waiting.cancel(true);
    awaitWaiting(turns, 0);
    turns.release();
    assertThat(turns.acquire(BUSY)).isTrue();
  }
}
