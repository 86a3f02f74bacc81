package im.zonda.testkit.server;

import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.StreamEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The inbox of a client whose server runs on the same thread: waiting drives the server.
final class PumpedInbox implements Inbox {
  private final Pump pump;
  private final Queue<StreamEvent> events = new ArrayDeque<>();

  PumpedInbox(Pump pump) {
    this.pump = pump;
  }

  @Override
  public void put(StreamEvent event) {
    pump.execute(() -> events.add(event));
  }

  @Override
  public @Nullable StreamEvent take(Duration patience) throws InterruptedException {
    pump.runUntil(() -> !events.isEmpty(), patience);
    return events.poll();
  }
}
