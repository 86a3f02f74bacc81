package im.zonda.router;

import im.zonda.module.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a session has beside its stream since the client has enabled stream management (XEP-0198).
final class Management {
  private static final long NONE = Long.MAX_VALUE;

  private final @Nullable String id;
  private final HandledCount handled;

  // Guarded by this object's monitor.
  private long deadline = NONE;
  private int resumptions;
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

  /// The session has no stream and can be resumed until then, in ms since 1970; or until an earlier
  /// deadline that stands because it has not been resumed since.
  ///
  /// @return how long that is from `now`
  synchronized Duration deadline(long now, long until) {
    deadline = Math.min(deadline, until);
    return Duration.ofMillis(Math.clamp(deadline - now, 0, Math.max(0, until - now)));
  }

  /// Sets the timer for the deadline.
  synchronized void timer(Scheduler.Cancellable newTimer) {
    stopTimer();
    timer = newTimer;
  }

  /// How often the session has been resumed, so that a timer can see whether it is too late.
  synchronized int resumptions() {
    return resumptions;
  }

  /// The session has been resumed, or is over: no deadline stands.
  synchronized void resumed() {
    resumptions++;
    deadline = NONE;
    stopTimer();
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
