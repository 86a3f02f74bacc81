package im.zonda.testkit.client;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An inbox that is a queue during negotiation and afterwards passes each event to a consumer on
/// the reader's thread, so that a slow consumer makes a slow reader.
final class DirectInbox implements Inbox {
  private final Inbox waiting = Inbox.queue();
  private @Nullable Consumer<StreamEvent> consumer;

  @Override
  public void put(StreamEvent event) {
    Consumer<StreamEvent> current;
    synchronized (this) {
      current = consumer;
      if (current == null) {
        waiting.put(event);
        return;
      }
    }
    current.accept(event);
  }

  @Override
  public @Nullable StreamEvent take(Duration patience) throws InterruptedException {
    return waiting.take(patience);
  }

  /// Passes all events to the consumer from now on, in order. Queued events are passed on the
  /// calling thread.
  void direct(Consumer<StreamEvent> newConsumer) throws InterruptedException {
    while (true) {
      StreamEvent event;
      synchronized (this) {
        event = waiting.take(Duration.ZERO);
        if (event == null) {
          consumer = newConsumer;
          return;
        }
      }
      newConsumer.accept(event);
    }
  }
}
