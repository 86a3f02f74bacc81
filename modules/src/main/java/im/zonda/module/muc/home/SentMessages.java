package im.zonda.module.muc.home;

import im.zonda.module.Origin;
import java.util.ArrayDeque;
import java.util.Deque;

/// The last message up to which the homes of all occupants have received everything that the room
/// has sent. Its id is replicated to the standby of a room in a cluster: when the room's node dies
/// or is cut off, the next home sends the later messages again.
///
/// Messages are handled on any thread; the rest is confined to the room's mailbox.
public final class SentMessages {
  /// The most messages to wait for: the server of an occupant may be away.
  private static final int MOST = 10_000;

  // Guarded by this object's monitor. In the order of their ids.
  private final Deque<Sent> unhandled = new ArrayDeque<>(0);
  private long handledUpTo;
  private long lastSent;

  private boolean started;
  private boolean continued;
  private long copied;
  private long due;

  /// Whether a timer was set to replicate the number.
  private boolean waiting;

  private boolean copyDue;

  /// A message on its way to the occupants.
  private final class Sent implements Origin {
    private final long id;
    private final long since;
    private final long trace;

    // Guarded by the monitor of the messages.
    private int holds = 1;

    Sent(long id, Origin cause) {
      this.id = id;
      this.since = cause.since();
      this.trace = cause.trace();
    }

    @Override
    public long trace() {
      return trace;
    }

    @Override
    public long since() {
      return since;
    }

    @Override
    public boolean acknowledges() {
      return false;
    }

    @Override
    public void hold() {
      synchronized (SentMessages.this) {
        holds++;
      }
    }

    @Override
    public void release() {
      synchronized (SentMessages.this) {
        holds--;
        removeHandled();
      }
    }
  }

  private void removeHandled() {
    Sent first = unhandled.peek();
    while (first != null && (first.holds == 0 || unhandled.size() > MOST)) {
      handledUpTo = first.id;
      unhandled.remove();
      first = unhandled.peek();
    }
  }

  /// Starts at an id: all occupants have the messages up to it, or do not get them.
  public synchronized void start(long id) {
    handledUpTo = id;
    lastSent = id;
    started = true;
  }

  /// Whether it has started; without a cluster it never does.
  public boolean isStarted() {
    return started;
  }

  /// The progress of the former home of the room is known, and the missing messages have been sent.
  public void setContinued() {
    continued = true;
  }

  /// Whether all occupants have received all messages that former homes have stored.
  public boolean isContinued() {
    return continued;
  }

  /// A message on its way in a room whose progress no other node needs.
  private record Measured(long since, long trace) implements Origin {
    @Override
    public boolean acknowledges() {
      return false;
    }

    @Override
    public void hold() {}

    @Override
    public void release() {}
  }

  /// As [#send(long, Origin)], for a message of a former home.
  public Origin send(long id) {
    return send(id, Origin.NONE);
  }

  /// Called before a message is sent to the occupants.
  ///
  /// @param cause of the message that was sent to the room
  /// @return the origin of all its copies, to be released when all have been sent
  public synchronized Origin send(long id, Origin cause) {
    if (!started) {
      boolean nothing = cause.since() == 0 && cause.trace() == 0;
      return nothing ? Origin.NONE : new Measured(cause.since(), cause.trace());
    }
    Sent sent = new Sent(id, cause);
    unhandled.add(sent);
    lastSent = id;
    return sent;
  }

  /// The last id up to which all messages have been handled.
  public synchronized long handledUpTo() {
    return handledUpTo;
  }

  /// The last id that has been sent, or with which it has started.
  public synchronized long lastSent() {
    return lastSent;
  }

  // ---- the replica at the standby

  /// The id that the standby has; 0 if it has none.
  public long copied() {
    return copied;
  }

  /// Takes the id for the standby. It is that of the previous call: messages that have just been
  /// handled may be lost with a node that dies at the same time as this one.
  ///
  /// @param now whether to take the present id
  public long takeForCopy(boolean now) {
    long current = handledUpTo();
    copied = now || due == 0 ? current : due;
    due = current;
    return copied;
  }

  /// The standby no longer has an id.
  public void forgetCopy() {
    copied = 0;
    due = 0;
  }

  /// The id is to be replicated after a while.
  ///
  /// @return false if a timer is set for that already
  public boolean waitForCopy() {
    boolean first = !waiting;
    waiting = true;
    return first;
  }

  /// The timer has fired.
  public void setCopyDue() {
    waiting = false;
    copyDue = true;
  }

  /// Whether the timer has fired since the last call.
  public boolean takeCopyDue() {
    boolean was = copyDue;
    copyDue = false;
    return was;
  }
}
