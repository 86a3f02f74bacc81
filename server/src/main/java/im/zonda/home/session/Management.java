package im.zonda.home.session;

import im.zonda.hash.HashFunction;
import im.zonda.module.Scheduler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a session has since its client has enabled stream management (XEP-0198): the count of the
/// client's stanzas, and the timers of a session without a stream. Confined to the home's mailbox.
public final class Management {
  private static final long NONE = Long.MAX_VALUE;
  private static final int HASH_BYTES = 18;

  private final @Nullable String id;
  private HandledCount handled;
  private @Nullable AttachedCopy copy;
  private long deadline = NONE;
  private int epoch;
  private boolean settling;
  private boolean moved;

  /// Until when a stream of the client may say that it knows more of the session, in ms since 1970.
  private long olderUntil = Long.MIN_VALUE;

  /// When the session came here from another node that was still handling stanzas of it, in ms
  /// since 1970; [#NONE] if it did not.
  private long owedSince = NONE;

  /// Whether former homes may say that they have handled what is handled here, too.
  private boolean countedElsewhere;

  /// When a home that has died may have begun to handle what this one does not know of, in ms since
  /// 1970; [#NONE] if there is no such home.
  private long doubtSince = NONE;

  private long doubtEarliest = NONE;
  private long doubtLatest = NONE;
  private @Nullable Runnable whenSettled;
  private Scheduler.@Nullable Cancellable timer;

  /// @param id by which the session can be resumed, hashed ([#hash]); null if it cannot
  public Management(@Nullable String id, HandledCount handled) {
    this.id = id;
    this.handled = handled;
  }

  /// What is kept of an id: who reads it cannot resume the session.
  public static String hash(String id) {
    byte[] hash = HashFunction.SHA_256.hash(id);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
  }

  /// By which it can be resumed, hashed; null if it cannot.
  public @Nullable String id() {
    return id;
  }

  /// The client's stanzas.
  public HandledCount handled() {
    return handled;
  }

  /// What another node has of the session while it has a stream; null if none has had anything.
  public @Nullable AttachedCopy copy() {
    return copy;
  }

  /// The same, to be used from now on.
  public AttachedCopy openCopy() {
    AttachedCopy open = copy;
    if (open == null) {
      open = new AttachedCopy();
      copy = open;
    }
    return open;
  }

  /// The session has no stream and can be resumed until then, in ms since 1970; or until an earlier
  /// deadline that stands because it has not been resumed since.
  ///
  /// @return how long that is from `now`
  public Duration deadline(long now, long until) {
    deadline = Math.min(deadline, until);
    return Duration.ofMillis(Math.clamp(deadline - now, 0, Math.max(0, until - now)));
  }

  /// The session has moved to another node, where it is counted from now on.
  public void moved() {
    moved = true;
    if (copy != null) {
      copy.end();
    }
    settling(false);
  }

  /// Whether it has.
  public boolean hasMoved() {
    return moved;
  }

  /// The session was made again as a stream of its client knew it when its home was lost: until
  /// then another stream may come that has known more.
  ///
  /// @param until in ms since 1970
  public void mayBeOlderUntil(long until) {
    olderUntil = until;
  }

  /// Whether such a stream may still come.
  public boolean mayBeOlder(long now) {
    return now < olderUntil;
  }

  /// The session has come here from another node that is still handling stanzas of it.
  ///
  /// @param now in ms since 1970
  public void owed(long now) {
    owedSince = now;
  }

  /// Whether the session waits for another node to say that it has handled stanzas of it.
  public boolean isOwed() {
    return owedSince != NONE && !handled.isSettled();
  }

  /// Whether it waits so since an earlier time than that, in ms since 1970.
  public boolean isOwedBefore(long time) {
    return isOwed() && owedSince < time;
  }

  /// That node will not say so any more: the client is to send those stanzas again.
  ///
  /// @return since when they may have been handled, in ms since 1970
  public long recount() {
    long since = owedSince;
    owedSince = NONE;
    countedElsewhere = true;
    handled = new HandledCount(handled.handled());
    return since;
  }

  /// The session was at another home before, which may have been told to count again, too.
  public void countedElsewhere() {
    countedElsewhere = true;
  }

  /// Whether a stanza counts that has been handled. After [#recount], here or at a former home, one
  /// may be handled twice: a former home that lives says so, too.
  public boolean counts(long number) {
    return !countedElsewhere || handled.isPending(number);
  }

  /// The session was at a home that has died, which may have handled since then what the client
  /// sends again now.
  ///
  /// @param since in ms since 1970
  public void doubtSince(long since) {
    doubtSince = since;
  }

  /// Since when a home that has died may have handled what this one does not know of, in ms since
  /// 1970; empty if there is no such home.
  public OptionalLong doubtSince() {
    return isInDoubt() ? OptionalLong.of(doubtSince) : OptionalLong.empty();
  }

  /// The client sends that now. It has sent everything when after `earliest` all has been handled
  /// that has arrived, and by `latest` anyway.
  public void doubtUntil(long earliest, long latest) {
    doubtEarliest = earliest;
    doubtLatest = latest;
  }

  /// Whether a home that has died may have handled what the client sends.
  public boolean isInDoubt() {
    return doubtSince != NONE;
  }

  /// How long ago that may have been, in ms and at least 1; 0 if the client has sent everything
  /// again.
  public long doubt(long now) {
    if (now > doubtLatest || (now > doubtEarliest && handled.isSettled())) {
      doubtSince = NONE;
    }
    return isInDoubt() ? Math.max(1, now - doubtSince) : 0;
  }

  /// Sets the timer for this epoch; the one before is cancelled.
  public void timer(Scheduler.Cancellable newTimer) {
    stopTimer();
    timer = newTimer;
  }

  /// Goes up whenever a timer that was set before must have no effect.
  public int epoch() {
    return epoch;
  }

  /// A stream has asked for the session and waits until all that came before has been handled.
  public void settling(boolean now) {
    settling = now;
    epoch++;
    stopTimer();
  }

  /// Whether a stream waits so.
  public boolean isSettling() {
    return settling;
  }

  /// Runs `action` once all that has arrived has been handled; at once if it has.
  public void whenSettled(Runnable action) {
    if (handled.isSettled()) {
      action.run();
    } else {
      whenSettled = action;
    }
  }

  /// What [#whenSettled] has been given, if all has been handled now; null otherwise.
  public @Nullable Runnable takeSettled() {
    Runnable action = handled.isSettled() ? whenSettled : null;
    if (action != null) {
      whenSettled = null;
    }
    return action;
  }

  /// The session has been resumed, or is over: no deadline stands.
  public void resumed() {
    settling(false);
    deadline = NONE;
    owedSince = NONE; // it has been said: a stream waits for that
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
