package im.zonda.plugins.webhooks.queue;

import java.util.List;

/// Events that are delivered together.
///
/// @param sequence the number of the first one in the queue, from 1 on
/// @param events at least one
public record Batch(long sequence, List<QueuedEvent> events) {
  /// Copies the list.
  public Batch {
    events = List.copyOf(events);
  }

  /// The number of the event after the last one.
  long end() {
    return sequence + events.size();
  }
}
