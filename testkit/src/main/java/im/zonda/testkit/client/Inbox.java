package im.zonda.testkit.client;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Queue of stream events between a client's reader and the test's thread.
public interface Inbox {
  /// Adds an event. Any thread may call this.
  void put(StreamEvent event);

  /// Waits for the next event; null after the timeout.
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
