package im.zonda.testkit.client;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An inbox that is a queue while a client negotiates, and afterwards hands each event to a
/// consumer on the reader's own thread: a consumer that takes its time makes a client that reads
/// slowly.
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

  /// From now on the consumer gets all events, in their order; those that wait come at once, on
  /// this thread.
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
