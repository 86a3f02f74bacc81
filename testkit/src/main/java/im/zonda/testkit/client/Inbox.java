package im.zonda.testkit.client;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Where a client's reader leaves what it has read, and the test's thread waits for it.
public interface Inbox {
  /// Leaves an event; any thread.
  void put(StreamEvent event);

  /// The next event; null if none comes in that time.
  @Nullable StreamEvent take(Duration patience) throws InterruptedException;

  /// An inbox for clients whose server runs on threads of its own.
  static Inbox queue() {
    LinkedBlockingQueue<StreamEvent> events = new LinkedBlockingQueue<>();
    return new Inbox() {
      @Override
      public void put(StreamEvent event) {
        events.add(event);
      }

      @Override
      public @Nullable StreamEvent take(Duration patience) throws InterruptedException {
        return events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      }
    };
  }
}
