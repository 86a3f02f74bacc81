package im.zonda.throttle;

import im.zonda.session.ClientNetwork;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;

/// A limited number of places for expensive work, given to addresses in turn: an address with a
/// thousand waiting tasks is served as often as one with a single task.
///
/// The queue is bounded; when it is full, the newest task of the address with the most of them is
/// rejected. Safe for use by several threads.
public final class FairTurns {
  private final int most;
  private final SequencedMap<ClientNetwork, Deque<Turn>> queues = new LinkedHashMap<>();
  private int free;
  private int waiting;

  /// A task that waits.
  private static final class Turn {
    private final CountDownLatch decided = new CountDownLatch(1);
    private boolean granted;

    private void decide(boolean mayRun) {
      granted = mayRun;
      decided.countDown();
    }
  }

  /// @param places how many may work at a time
  /// @param most how many may wait
  public FairTurns(int places, int most) {
    this.free = places;
    this.most = most;
  }

  /// Waits for a place; false if the task is rejected. A granted place must be given back by
  /// [#release].
  public boolean acquire(ClientNetwork network) throws InterruptedException {
    Turn turn = new Turn();
    synchronized (this) {
      if (free > 0) {
        free--;
        return true;
      }
      if (waiting >= most && !makeRoom(network)) {
        return false;
      }
      queues.computeIfAbsent(network, key -> new ArrayDeque<>()).add(turn);
      waiting++;
    }
    try {
      turn.decided.await();
    } catch (InterruptedException e) {
      abandon(network, turn);
      throw e;
    }
    return turn.granted;
  }

  /// Gives a place back: to the address whose turn it is, if any waits.
  public synchronized void release() {
    Map.Entry<ClientNetwork, Deque<Turn>> next = queues.pollFirstEntry();
    if (next == null) {
      free++;
      return;
    }
    Deque<Turn> turns = next.getValue();
    turns.removeFirst().decide(true);
    waiting--;
    if (!turns.isEmpty()) {
      queues.putLast(next.getKey(), turns);
    }
  }

  /// The number of tasks that wait.
  synchronized int waiting() {
    return waiting;
  }

  /// Refuses the newest task of the address with the most; false if that is the one that comes now.
  private boolean makeRoom(ClientNetwork network) {
    ClientNetwork longest = network;
    int length = queues.containsKey(network) ? queues.get(network).size() + 1 : 1;
    for (Map.Entry<ClientNetwork, Deque<Turn>> each : queues.entrySet()) {
      if (each.getValue().size() > length) {
        longest = each.getKey();
        length = each.getValue().size();
      }
    }
    Deque<Turn> turns = longest.equals(network) ? null : queues.get(longest);
    if (turns == null) {
      return false;
    }
    turns.removeLast().decide(false);
    waiting--;
    return true;
  }

  private synchronized void abandon(ClientNetwork network, Turn turn) {
    if (turn.decided.getCount() == 0) {
      if (turn.granted) {
        release();
      }
      return;
    }
    Deque<Turn> turns = queues.get(network);
    if (turns != null && turns.remove(turn)) {
      waiting--;
      if (turns.isEmpty()) {
        queues.remove(network);
      }
    }
  }
}
