package im.zonda.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/// All threads of a server as one: what could run next, and the seed's choice of it.
///
/// Tasks given to this executor are threads of their own and run in any order; those of one lane
/// run in theirs.
final class Turns implements Executor {
  private final SplittableRandom random;
  private final List<Runnable> threads = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private int loops;

  Turns(SplittableRandom random) {
    this.random = random;
  }

  /// One thread that does what it is given in order.
  final class Lane implements Executor {
    private final Queue<Runnable> tasks = new ArrayDeque<>(4);

    @Override
    public void execute(Runnable task) {
      if (tasks.isEmpty()) {
        lanes.add(this);
      }
      tasks.add(task);
    }
  }

  Lane lane() {
    return new Lane();
  }

  @Override
  public void execute(Runnable task) {
    threads.add(task);
  }

  /// Runs one task; false if there is none.
  boolean runOne() {
    int choices = threads.size() + lanes.size();
    if (choices == 0) {
      return false;
    }
    int choice = random.nextInt(choices);
    if (choice < threads.size()) {
      Runnable task = threads.get(choice);
      Runnable last = threads.removeLast();
      if (choice < threads.size()) {
        threads.set(choice, last);
      }
      task.run();
      return true;
    }
    Lane lane = lanes.get(choice - threads.size());
    Runnable task = lane.tasks.remove();
    if (lane.tasks.isEmpty()) {
      lanes.remove(lane);
    }
    runOnLoop(task);
    return true;
  }

  /// Runs what the thread of a connection does, which must not block.
  void runOnLoop(Runnable task) {
    loops++;
    try {
      task.run();
    } finally {
      loops--;
    }
  }

  /// Whether the thread of a connection runs, or has been stopped in the middle of its work.
  boolean isOnLoop() {
    return loops > 0;
  }

  /// Runs all there is, and what that brings about.
  void runAll() {
    for (int i = 0; runOne(); i++) {
      if (i > 1_000_000) {
        throw new AssertionError("the server never comes to rest");
      }
    }
  }

  /// The process is gone, and all its threads.
  void clear() {
    threads.clear();
    lanes.forEach(lane -> lane.tasks.clear());
    lanes.clear();
  }
}
