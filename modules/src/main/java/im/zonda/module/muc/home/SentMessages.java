package im.zonda.module.muc.home;

import im.zonda.module.Origin;
import java.util.ArrayDeque;
import java.util.Deque;

/// Up to which message the homes of all occupants have what the room has sent. The standby of a
/// room in a cluster has this number: when the room's node dies or is cut off, the next one sends
/// what comes after it.
///
/// Messages are handled on any thread; the rest is confined to the room's mailbox.
public final class SentMessages {
  /// More messages than this are not waited for: the server of an occupant may be away.
  private static final int MOST = 10_000;

  // Guarded by this object's monitor. In the order of their ids.
  private final Deque<Sent> unhandled = new ArrayDeque<>(0);
  private long handledUpTo;
  private long lastSent;

  private boolean started;
  private boolean continued;
  private long copied;
  private long due;

  /// A timer will have the number copied, or has.
  private boolean waiting;

  private boolean copyDue;

  /// A message on its way to the occupants.
  private final class Sent implements Origin {
    private final long id;

    // Guarded by the monitor of the messages.
    private int holds = 1;

    Sent(long id) {
      this.id = id;
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

  /// Begins: all occupants have, or do not get, what has no higher id.
  public synchronized void start(long id) {
    handledUpTo = id;
    lastSent = id;
    started = true;
  }

  /// Whether it has begun; without a cluster it never does.
  public boolean isStarted() {
    return started;
  }

  /// A former home of the room has said how far it had come; what was missing is sent by now.
  public void setContinued() {
    continued = true;
  }

  /// Whether nothing that former homes have stored is missing anywhere.
  public boolean isContinued() {
    return continued;
  }

  /// Called before a message is sent to the occupants.
  ///
  /// @return the origin of all its copies, to be released when all have been sent
  public synchronized Origin send(long id) {
    if (!started) {
      return Origin.NONE;
    }
    Sent sent = new Sent(id);
    unhandled.add(sent);
    lastSent = id;
    return sent;
  }

  /// The last id up to which all messages have been handled.
  public synchronized long handledUpTo() {
    return handledUpTo;
  }

  /// The last id that has been sent, or with which it began.
  public synchronized long lastSent() {
    return lastSent;
  }

  // ---- the copy at the standby

  /// The number that the standby has; 0 if it has none.
  public long copied() {
    return copied;
  }

  /// Takes the number for the standby. It is that of the call before: what has been handled just
  /// now may be lost with a node that dies at the same time as this one.
  ///
  /// @param now whether to take the present one
  public long takeForCopy(boolean now) {
    long current = handledUpTo();
    copied = now || due == 0 ? current : due;
    due = current;
    return copied;
  }

  /// The standby no longer has a number.
  public void forgetCopy() {
    copied = 0;
    due = 0;
  }

  /// The number is to be copied after a while.
  ///
  /// @return false if a timer has been set for that before
  public boolean waitForCopy() {
    boolean first = !waiting;
    waiting = true;
    return first;
  }

  /// The timer is over.
  public void setCopyDue() {
    waiting = false;
    copyDue = true;
  }

  /// Whether the timer is over since the last call.
  public boolean takeCopyDue() {
    boolean was = copyDue;
    copyDue = false;
    return was;
  }
}
