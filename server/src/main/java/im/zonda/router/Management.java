package im.zonda.router;

import im.zonda.module.Scheduler;
import org.jspecify.annotations.Nullable;

/// What a session has beside its stream since the client has enabled stream management (XEP-0198).
final class Management {
  private final @Nullable String id;
  private final HandledCount handled;

  // Guarded by this object's monitor.
  private int streams;
  private Scheduler.@Nullable Cancellable timer;

  /// @param id by what the session can be resumed, as it is kept ([Resumption]); null if it cannot
  Management(@Nullable String id, HandledCount handled) {
    this.id = id;
    this.handled = handled;
  }

  /// By what it can be resumed, or null.
  @Nullable String id() {
    return id;
  }

  /// The client's stanzas.
  HandledCount handled() {
    return handled;
  }

  /// Counts the session's streams, so that a timer can see whether it is about the present one.
  synchronized int streams() {
    return streams;
  }

  /// Another stream: no timer is about this one.
  synchronized void newStream() {
    streams++;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /// The timer that ends the session if no other stream comes.
  synchronized void timer(Scheduler.Cancellable newTimer) {
    timer = newTimer;
  }
}
