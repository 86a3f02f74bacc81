package im.zonda.home.session;

/// Which entries of its account's log a session has been sent, as far as it wants them.
///
/// A session that was away reads the log from one entry on; what was sent to it while it was
/// available is not in the order of that reading. 0 stands for no entry.
///
/// @param upTo all up to this one
/// @param from the first of others, all of which it has been sent up to and including `to`
/// @param to the last of these
public record SentEntries(long upTo, long from, long to) {
  /// Nothing is known.
  public static final SentEntries NONE = new SentEntries(0, 0, 0);

  /// All up to an entry, and nothing else.
  public static SentEntries upTo(long entry) {
    return entry == 0 ? NONE : new SentEntries(entry, 0, 0);
  }

  /// Whether it has been sent that entry.
  public boolean contains(long entry) {
    return entry <= upTo || (from != 0 && from <= entry && entry <= to);
  }

  /// What a session has been sent by now.
  public static SentEntries of(LocalSession session) {
    SentEntries before = session.sentBefore();
    long read = session.readsLog() ? Math.max(before.upTo, session.readUpTo()) : before.upTo;
    long since = session.since();
    long last = session.outgoing().lastEntry();
    return since == 0 || last < since
        ? new SentEntries(read, before.from, before.to)
        : new SentEntries(read, before.from == 0 ? since : before.from, Math.max(before.to, last));
  }

  /// The same for a copy: what the client has acknowledged may be found waiting in the log, so that
  /// it is not enough to leave out what is between two entries.
  public static SentEntries ofCopy(LocalSession session) {
    boolean all = session.priority() >= 0 && !session.readsLog();
    return all
        ? upTo(Math.max(session.sentBefore().upTo, session.outgoing().lastEntry()))
        : of(session);
  }
}
