package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.module.Origin;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// The stanzas that a client has sent on a managed stream, and how many of them, without a gap,
/// have been handled: the `h` of the server's acknowledgements (XEP-0198, section 4).
///
/// Stanzas end in any order; the count goes up only when every stanza before has ended too.
final class HandledCount {
  private static final long NONE = -1;

  private final Jid session;
  private final ArrayDeque<Handling> open = new ArrayDeque<>(4);
  private @Nullable Outbound owner;
  private long handled;

  /// The count that the client waits for since its oldest question, or -1; and since its newest.
  private long owed = NONE;

  private long owedLater = NONE;

  private @Nullable Runnable settled;

  /// A count of what `session` sends; it begins at `handled`, for the stream of `owner`.
  HandledCount(Jid session, @Nullable Outbound owner, long handled) {
    this.session = session;
    this.owner = owner;
    this.handled = handled;
  }

  /// A stanza has arrived on the stream of `from`. It is begun once. Null if the session has
  /// another stream by now: the client sends the stanza again on that one.
  @Nullable Handling begin(Outbound from) {
    synchronized (this) {
      if (!from.equals(owner)) {
        return null;
      }
      Handling handling = new Handling(this, from, handled + open.size() + 1);
      open.add(handling);
      return handling;
    }
  }

  /// How many have been handled.
  synchronized long handled() {
    return handled;
  }

  /// The client asks for the count on the stream of `from`. True if it can be told at once;
  /// otherwise the stream is notified by [Outbound#allHandled] when all that has arrived so far has
  /// been handled.
  synchronized boolean requested(Outbound from) {
    if (open.isEmpty() || !from.equals(owner)) {
      return true;
    }
    // A client that asks all the time must not wait for what it sent last.
    if (owed == NONE) {
      owed = handled + open.size();
    } else {
      owedLater = handled + open.size();
    }
    return false;
  }

  /// Whether the client waits for an answer.
  synchronized boolean owes() {
    return owed != NONE;
  }

  /// From now on only `next` brings stanzas; null: none does.
  synchronized void belongsTo(@Nullable Outbound next) {
    owner = next;
    owed = NONE;
    owedLater = NONE;
  }

  /// Runs `action` once, when all that has arrived has been handled; it takes the place of one that
  /// waits. True if it was run at once.
  boolean whenSettled(Runnable action) {
    synchronized (this) {
      if (!open.isEmpty()) {
        settled = action;
        return false;
      }
    }
    action.run();
    return true;
  }

  /// Waits no longer with `action`. What has not been handled stays open. False, and nothing
  /// happens, if it has run or another took its place.
  synchronized boolean stopWaiting(Runnable action) {
    if (!action.equals(settled)) {
      return false;
    }
    settled = null;
    return true;
  }

  private void ended(Handling handling) {
    Outbound asked = null;
    Runnable action = null;
    synchronized (this) {
      handling.over = true;
      for (Handling first = open.peek(); first != null && first.over; first = open.peek()) {
        open.remove();
        handled++;
      }
      if (owed != NONE && handled >= owed) {
        owed = handled >= owedLater ? NONE : owedLater;
        owedLater = NONE;
        asked = owner;
      }
      if (open.isEmpty()) {
        action = settled;
        settled = null;
      }
    }
    try {
      if (asked != null) {
        asked.allHandled();
      }
    } finally {
      if (action != null) {
        action.run();
      }
    }
  }

  /// One stanza of a managed stream that has not been handled yet.
  static final class Handling implements Origin {
    private static final AtomicIntegerFieldUpdater<Handling> PENDING =
        AtomicIntegerFieldUpdater.newUpdater(Handling.class, "pending");

    private final HandledCount count;
    private final Outbound outbound;
    private final long number;

    /// Guarded by the count.
    private boolean over;

    @SuppressWarnings("UnusedVariable") // through PENDING
    private volatile int pending = 1;

    private Handling(HandledCount count, Outbound outbound, long number) {
      this.count = count;
      this.outbound = outbound;
      this.number = number;
    }

    @Override
    public Jid session() {
      return count.session;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public Outbound flow() {
      return outbound;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      PENDING.incrementAndGet(this);
    }

    @Override
    public void release() {
      int left = PENDING.decrementAndGet(this);
      if (left == 0) {
        count.ended(this);
      } else if (left < 0) {
        throw new IllegalStateException("released more often than held");
      }
    }
  }
}
