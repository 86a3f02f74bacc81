package im.zonda.router;

/// How many messages wait for one account, as far as its home knows without asking the log.
///
/// An entry waits from when it is appended, if no session with a stream gets it at once, until a
/// client has it. What goes to a session with a stream is counted when the session loses that.
/// Confined to the home's mailbox, but for [#delivered] and [#joinedUncounted].
final class WaitingMessages {
  /// Whether one more may wait.
  enum Room {
    FREE,
    FULL,
    /// The log must be asked for the count.
    UNKNOWN
  }

  private int count;
  private boolean unread;

  /// Some of those that are counted may have been delivered.
  private volatile boolean tooHigh;

  /// Some may wait that are not counted.
  private volatile boolean tooLow;

  /// The log is about to be asked for the count. What changes from here on makes the answer inexact
  /// again.
  void asking() {
    tooHigh = false;
    tooLow = false;
  }

  /// The log's answer.
  void counted(int waiting) {
    count = waiting;
    unread |= waiting > 0;
  }

  /// One more waits, and may be read.
  void joined() {
    count++;
    unread = true;
  }

  /// So many more wait, of which some may have been counted already.
  void joined(int more) {
    if (more > 0) {
      tooHigh = true;
      count += more;
    }
  }

  /// Nobody knows how many more wait. Any thread may call.
  void joinedUncounted() {
    tooLow = true;
  }

  /// Some no longer wait. Any thread may call.
  void delivered() {
    if (!tooHigh) {
      tooHigh = true;
    }
  }

  /// Whether one more may wait where `limit` may.
  Room room(int limit) {
    if (tooLow) {
      return Room.UNKNOWN;
    }
    if (count < limit) {
      return Room.FREE;
    }
    return tooHigh ? Room.UNKNOWN : Room.FULL;
  }

  /// Whether there may be something for a session to read.
  boolean unread() {
    return unread;
  }

  /// Something is there for a session to read, or nothing any more.
  void unread(boolean now) {
    unread = now;
  }
}
