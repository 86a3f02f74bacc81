package im.zonda.app.noloss;

import java.util.Locale;

/// What can go wrong with a database server and on the way to it.
public enum DatabaseFault {
  /// It is stopped in the proper way and started again.
  STOP,
  /// Its processes are killed, and it is started again.
  KILL,
  /// Its processes do not run for a while.
  SUSPEND,
  /// All connections are cut on the way.
  CUT,
  /// Nothing comes through any connection for a while.
  STALL,
  /// A connection is cut between a commit and its answer.
  LOSE_ANSWER,
  /// The answer to a commit does not come; the connection is cut later.
  STALL_ANSWER,
  /// Another session has locked the tables that queries read.
  LOCK;

  /// Whether nothing can be committed while it lasts.
  boolean isOutage() {
    return switch (this) {
      case STOP, KILL, SUSPEND, STALL -> true;
      case CUT, LOSE_ANSWER, STALL_ANSWER, LOCK -> false;
    };
  }

  /// Whether it lasts for a time that the run chooses.
  boolean lasts() {
    return this != CUT && this != LOSE_ANSWER;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
