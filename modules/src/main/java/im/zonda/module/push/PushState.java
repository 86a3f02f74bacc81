package im.zonda.module.push;

import im.zonda.jid.Jid;
import im.zonda.module.Scheduler.Cancellable;
import org.jspecify.annotations.Nullable;

/// The pending publications of one registration, and their times. At most one notification waits
/// for its answer; messages that come meanwhile, or while the rate is used up, go into the next.
/// Confined to the home's mailbox. Times are in ms since 1970.
final class PushState {
  /// How long an answer is waited for, in ms.
  static final long PATIENCE = 60_000;

  private static final long FIRST_PAUSE = 60_000;
  private static final long LONGEST_PAUSE = 3_600_000;

  private Registration registration;

  /// Messages since the client was last awake.
  private int count;

  private @Nullable Jid sender;
  private @Nullable String body;
  private boolean due;

  private @Nullable String sentId;
  private long sentAt;

  /// When the next notification would be due if they were spread evenly (a leaky bucket).
  private long evenly;

  /// Temporary errors in a row.
  private int failures;

  private long pausedUntil;
  private @Nullable Cancellable timer;

  PushState(Registration registration) {
    this.registration = registration;
  }

  Registration registration() {
    return registration;
  }

  /// The client has enabled the service again. What was sent before is not waited for: an error may
  /// be about options that the client has replaced.
  void registration(Registration newer) {
    registration = newer;
    sentId = null;
    failures = 0;
    pausedUntil = 0;
  }

  /// Counts a message for the client.
  ///
  /// @param from its sender
  /// @param text what is to be published of it, or null
  void add(@Nullable Jid from, @Nullable String text) {
    count++;
    sender = from;
    body = text;
    due = true;
  }

  /// The client is awake: nothing needs to be published.
  void reset() {
    count = 0;
    sender = null;
    body = null;
    due = false;
    wakeAt(null);
  }

  /// Whether something is to be published.
  boolean isDue() {
    return due;
  }

  /// Messages since the client was last awake.
  int count() {
    return count;
  }

  /// The sender of the last of them, or null.
  @Nullable Jid sender() {
    return sender;
  }

  /// What is to be published of the last of them, or null.
  @Nullable String body() {
    return body;
  }

  /// How long the next notification must wait, in ms.
  ///
  /// @param perMinute how many may be sent in a minute
  long delay(long now, int perMinute) {
    long interval = 60_000L / perMinute;
    long wait = Math.max(pausedUntil - now, evenly - (perMinute - 1) * interval - now);
    if (sentId != null) {
      wait = Math.max(wait, sentAt + PATIENCE - now);
    }
    return Math.max(0, wait);
  }

  /// A notification with that identifier is sent.
  void sent(String id, long now, int perMinute) {
    due = false;
    sentId = id;
    sentAt = now;
    evenly = Math.max(evenly, now) + 60_000L / perMinute;
  }

  /// The identifier of the notification that waits for its answer, or null.
  @Nullable String sentId() {
    return sentId;
  }

  /// The service has accepted the notification.
  void accepted() {
    sentId = null;
    failures = 0;
  }

  /// The service does not accept the notification at present: it is sent again later, after a pause
  /// that doubles with each failure.
  void failed(long now) {
    sentId = null;
    pausedUntil = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, 6));
    failures++;
    due = count > 0;
  }

  /// Replaces the timer; null for none.
  void wakeAt(@Nullable Cancellable newTimer) {
    if (timer != null) {
      timer.cancel();
    }
    timer = newTimer;
  }
}
