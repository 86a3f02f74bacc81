package im.zonda.home.session;

import im.zonda.session.Session;
import java.util.HashSet;
import java.util.Set;

/// Which entries of its account's log a session has been sent, as far as a home knows that recovers
/// the session.
///
/// @param upTo all entries up to this one that are for the session; 0 for none
/// @param others further entries that its client has acknowledged and that the log may still list
///   as waiting
public record SentEntries(long upTo, Set<Long> others) {
  /// Nothing is known.
  public static final SentEntries NONE = new SentEntries(0, Set.of());

  /// Copies the set.
  public SentEntries {
    others = Set.copyOf(others);
  }

  /// All entries up to one, and no others.
  public static SentEntries upTo(long entry) {
    return entry == 0 ? NONE : new SentEntries(entry, Set.of());
  }

  /// The same, of the entries up to one.
  SentEntries cut(long last) {
    return upTo <= last ? this : new SentEntries(Math.max(0, last), others);
  }

  /// Whether it has been sent that entry.
  public boolean contains(long entry) {
    return entry <= upTo || others.contains(entry);
  }

  /// A session that has been sent entries.
  public interface Receiver extends Session {
    /// The entries that it had been sent before it was recovered.
    SentEntries sentBefore();

    /// Whether it reads new messages from the log.
    boolean readsLog();

    /// The last entry that it has read since it began to catch up; 0 for none.
    long readUpTo();

    /// What it sends.
    Outgoing outgoing();
  }

  /// What a session has been sent by now. The log must have its client's acknowledgements before
  /// the session is restored.
  public static SentEntries of(Receiver session) {
    SentEntries before = session.sentBefore();
    return session.readsLog()
        ? new SentEntries(Math.max(before.upTo, session.readUpTo()), before.others)
        : before;
  }

  /// Up to which entry the client has acknowledged all that the session has been sent; 0 for none.
  public static long acknowledgedUpTo(Receiver session) {
    long last = ofCopy(session).upTo;
    for (LogAction each : session.outgoing().onTheWay()) {
      last = Math.min(last, each.id() - 1);
    }
    return last;
  }

  /// The same for a replica: the log may lack acknowledgements of the client.
  public static SentEntries ofCopy(Receiver session) {
    SentEntries before = session.sentBefore();
    Outgoing outgoing = session.outgoing();
    if (session.readsLog()) {
      Set<Long> others = new HashSet<>(before.others);
      others.addAll(outgoing.acknowledgedLately());
      return new SentEntries(Math.max(before.upTo, session.readUpTo()), others);
    }
    return session.priority() >= 0 ? upTo(Math.max(before.upTo, outgoing.lastEntry())) : before;
  }
}
