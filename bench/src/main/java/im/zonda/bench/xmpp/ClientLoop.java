package im.zonda.bench.xmpp;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.PrimitiveIterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/// One event loop of the generator. Its clients are confined to its thread.
public final class ClientLoop {
  private static final int READ_BYTES = 1 << 16;
  private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /// How many due actions run before the loop reads its sockets again.
  private static final int BATCH = 64;

  private final EventLoop loop;
  private final byte[] readBytes = new byte[READ_BYTES];

  /// In the order of their beginning, which is that of their end.
  private final Queue<Request> requests = new ArrayDeque<>();

  private record Request(long deadline, CompletableFuture<String> answer) {}

  ClientLoop(EventLoop loop) {
    this.loop = loop;
    var _ = loop.scheduleWithFixedDelay(this::expire, 1, 1, TimeUnit.SECONDS);
  }

  EventLoop netty() {
    return loop;
  }

  /// What was read last, by any of the clients.
  byte[] readBytes() {
    return readBytes;
  }

  /// Whether the caller is on this loop's thread.
  public boolean isCurrent() {
    return loop.inEventLoop();
  }

  /// Runs an action on the loop. Any thread may call.
  public void execute(Runnable action) {
    loop.execute(action);
  }

  /// Runs an action on the loop at a time, or shortly after. Any thread may call.
  ///
  /// @param nanos by [System#nanoTime]
  public void at(long nanos, Runnable action) {
    var _ = loop.schedule(action, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /// Runs an action on the loop at each of the times: an open loop. A time that has passed is made
  /// up for at once, so that the number of actions does not depend on the server. Any thread may
  /// call; the times are then read on the loop.
  ///
  /// @param due ascending times by [System#nanoTime]
  /// @param action given the time at which it was due
  /// @return completes after the last action; its cancellation ends the schedule
  public CompletableFuture<Void> pace(PrimitiveIterator.OfLong due, LongConsumer action) {
    Pace pace = new Pace(due, action);
    loop.execute(pace);
    return pace.end;
  }

  /// An answer that fails if nobody gives it within a minute. Only on the loop.
  CompletableFuture<String> request() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    requests.add(new Request(System.nanoTime() + REQUEST_NANOS, answer));
    return answer;
  }

  private void expire() {
    long now = System.nanoTime();
    for (Request first = requests.peek();
        first != null && (first.answer.isDone() || first.deadline - now < 0);
        first = requests.peek()) {
      requests.remove();
      first.answer.completeExceptionally(new TimeoutException("no answer within a minute"));
    }
  }

  private final class Pace implements Runnable {
    private final PrimitiveIterator.OfLong due;
    private final LongConsumer action;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private long next;
    private boolean hasNext;

    Pace(PrimitiveIterator.OfLong due, LongConsumer action) {
      this.due = due;
      this.action = action;
    }

    @Override
    public void run() {
      try {
        step();
      } catch (RuntimeException e) {
        end.completeExceptionally(e);
      }
    }

    private void step() {
      for (int i = 0; i < BATCH && !end.isDone(); i++) {
        if (!hasNext) {
          if (!due.hasNext()) {
            end.complete(null);
            return;
          }
          next = due.nextLong();
          hasNext = true;
        }
        long wait = next - System.nanoTime();
        if (wait > 0) {
          var _ = loop.schedule(this, wait, TimeUnit.NANOSECONDS);
          return;
        }
        hasNext = false;
        action.accept(next);
      }
      if (!end.isDone()) {
        loop.execute(this);
      }
    }
  }
}
