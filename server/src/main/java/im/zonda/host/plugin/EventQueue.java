package im.zonda.host.plugin;

import im.zonda.host.plugin.guard.Held;
import im.zonda.host.plugin.guard.PluginGuard;
import im.zonda.plugin.EventListener;
import im.zonda.plugin.PluginEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The events that wait for the listeners of one plugin, in order. Any thread may add; one thread
/// of the plugin at a time calls the listeners.
final class EventQueue {
  /// The most events that wait.
  static final int MOST = 10_000;

  /// The most bytes of the stanzas in them.
  static final long MOST_BYTES = 32 << 20;

  private final PluginGuard guard;
  private final List<Held<EventListener>> listeners;
  private final LongAdder lost = new LongAdder();

  // Guarded by this object's monitor.
  private final ArrayDeque<PluginEvent> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean draining;

  EventQueue(PluginGuard guard, List<Held<EventListener>> listeners) {
    this.guard = guard;
    this.listeners = listeners;
  }

  /// Adds an event. Never blocks.
  void add(PluginEvent event) {
    int size = size(event);
    synchronized (this) {
      if (waiting.size() >= MOST || bytes + size > MOST_BYTES) {
        lost.increment();
        return;
      }
      waiting.addLast(event);
      bytes += size;
      if (draining) {
        return;
      }
      draining = true;
    }
    start();
  }

  private void start() {
    try {
      guard.background().execute(this::drain);
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        draining = false; // the next event tries again
        notifyAll();
      }
    }
  }

  private void drain() {
    for (PluginEvent event = next(); event != null; event = next()) {
      PluginEvent now = event;
      for (Held<EventListener> each : listeners) {
        Object _ =
            guard.callHere(
                each,
                "events",
                listener -> {
                  listener.on(now);
                  return null;
                });
      }
    }
  }

  /// Waits until all events have been handled.
  ///
  /// @return false if that takes longer than `patience`
  synchronized boolean awaitHandled(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (draining) {
      long rest = end - System.nanoTime();
      if (rest <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, rest);
    }
    return true;
  }

  private synchronized @Nullable PluginEvent next() {
    PluginEvent event = Thread.currentThread().isInterrupted() ? null : waiting.pollFirst();
    if (event == null) {
      draining = false;
      notifyAll();
    } else {
      bytes -= size(event);
    }
    return event;
  }

  private static int size(PluginEvent event) {
    return switch (event) {
      case PluginEvent.MessageSent sent -> sent.message().writtenSize();
      case PluginEvent.MessageDelivered delivered -> delivered.message().writtenSize();
      case PluginEvent.RoomMessage sent -> sent.message().writtenSize();
      case PluginEvent.PresenceChanged changed -> changed.presence().writtenSize();
      default -> 0;
    };
  }

  /// How many events were lost because too many waited.
  long lost() {
    return lost.sum();
  }

  /// How many events wait.
  synchronized int size() {
    return waiting.size();
  }
}
