package im.zonda.home.session;

/// The number of messages that wait for one account, as far as its home knows without asking the
/// log.
///
/// An entry waits from when it is appended, if no session with a stream gets it at once, until a
/// client has it. What goes to a session with a stream is counted when the session loses that.
/// Confined to the home's mailbox, but for [#delivered], [#whenLost] and [#joinedUncounted].
public final class WaitingMessages {
  /// Whether one more may wait.
  public enum Room {
    FREE,
    FULL,
    /// The log must be asked for the count.
    UNKNOWN
  }

  private int count;
  private boolean unread;
  private long returns;
  private final Runnable whenLost = this::delivered;

  /// Some of those that are counted may have been delivered.
  private volatile boolean tooHigh;

  /// Some may wait that are not counted.
  private volatile boolean tooLow;

  /// Called before the log is asked for the count. Changes from here on make the answer inexact.
  public void asking() {
    tooHigh = false;
    tooLow = false;
  }

  /// The log's answer.
  public void counted(int waiting) {
    count = waiting;
    unread |= waiting > 0;
  }

  /// One more waits, and may be read.
  public void joined() {
    count++;
    unread = true;
  }

  /// Adds `more` that wait, of which some may have been counted already.
  public void joined(int more) {
    if (more > 0) {
      tooHigh = true;
      count += more;
    }
  }

  /// Notes that an unknown number more may wait. Any thread may call.
  public void joinedUncounted() {
    tooLow = true;
  }

  /// Some no longer wait. Any thread may call.
  public void delivered() {
    if (!tooHigh) {
      tooHigh = true;
    }
  }

  /// To be run when one that was to wait could not be stored. Any thread may run it.
  public Runnable whenLost() {
    return whenLost;
  }

  /// Whether one more may wait where `limit` may.
  public Room room(int limit) {
    if (tooLow) {
      return Room.UNKNOWN;
    }
    if (count < limit) {
      return Room.FREE;
    }
    return tooHigh ? Room.UNKNOWN : Room.FULL;
  }

  /// Entries that were on their way to a session wait again, at their places: a session that has
  /// read past them has to read once more.
  public void returned() {
    unread = true;
    returns++;
  }

  /// How often entries have returned.
  public long returns() {
    return returns;
  }

  /// Whether there may be something for a session to read.
  public boolean unread() {
    return unread;
  }

  /// Whether it is certain that none waits, once no session is left.
  public boolean isNone() {
    return !unread && !tooLow;
  }

  /// Sets whether there may be something for a session to read.
  public void unread(boolean now) {
    unread = now;
  }
}
